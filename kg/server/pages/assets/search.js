// Search on written pages: words in titles, terms and symptoms, from an index written beside.
"use strict";

(() => {
  const box = document.getElementById("static-search");
  if (!box) return;
  box.hidden = false;
  const field = box.querySelector("input");
  const count = document.getElementById("static-count");
  const results = document.getElementById("static-results");
  let cases = null;

  const load = async () => {
    if (cases) return cases;
    const answer = await fetch(box.dataset.index);
    if (!answer.ok) throw new Error(answer.statusText);
    cases = (await answer.json()).cases;
    return cases;
  };

  // Korean words carry particles, so a word counts without its last syllables, but with all else.
  const found = (text, word) => {
    if (text.includes(word)) return word.length;
    for (let n = word.length - 1; n >= 2 && /[가-힣]/.test(word[n]); n -= 1) {
      if (text.includes(word.slice(0, n))) return n / 2;
    }
    return 0;
  };

  const score = (entry, words) => {
    let sum = 0;
    for (const word of words) {
      const here = 3 * found(entry.title_key, word) + 2 * found(entry.terms_key, word) +
        found(entry.text_key, word);
      if (!here) return 0;
      sum += here;
    }
    return sum;
  };

  const show = (list) => {
    results.replaceChildren(...list.slice(0, 50).map((entry) => {
      const item = document.createElement("li");
      const id = document.createElement("span");
      id.className = "id";
      id.textContent = entry.id;
      const link = document.createElement("a");
      link.href = box.dataset.cases.replace("CASE", encodeURIComponent(entry.id));
      link.textContent = entry.title;
      const who = document.createElement("span");
      who.className = "quiet";
      who.textContent = entry.who;
      item.append(id, " ", link, " ", who);
      return item;
    }));
    count.textContent = list.length ? `${box.dataset.found}${list.length}` : box.dataset.none;
  };

  const search = async () => {
    const words = field.value.normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) {
      results.replaceChildren();
      count.textContent = "";
      return;
    }
    try {
      const scored = (await load()).map((entry) => [score(entry, words), entry]);
      const hits = scored.filter(([points]) => points > 0);
      hits.sort(([a, x], [b, y]) => b - a || (x.id < y.id ? -1 : 1));
      show(hits.map(([, entry]) => entry));
    } catch {
      count.textContent = box.dataset.failed;
    }
  };

  field.addEventListener("input", search);
  box.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
})();
