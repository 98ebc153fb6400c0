// Comforts only: every page works without this script. Texts of cases are only ever set as text.
"use strict";

(() => {
  // A place inside something folded away is unfolded when it is linked to.
  const unfold = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let at = target.parentElement; at; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true;
    }
    target.scrollIntoView({ block: "center" });
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Long lists of values get a field that narrows them.
  document.querySelectorAll("ul[data-filter]").forEach((list, number) => {
    const items = Array.from(list.children);
    if (items.length < 15) return;
    const field = document.createElement("input");
    field.type = "search";
    field.className = "narrow";
    field.id = `narrow-${number}`;
    const section = list.closest("section");
    const name = section ? section.querySelector("h2").textContent : "";
    field.setAttribute("aria-label", `${name}: ${document.body.dataset.more}`);
    field.placeholder = document.body.dataset.more;
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      for (const item of items) {
        item.hidden = wanted !== "" && !item.textContent.toLowerCase().includes(wanted);
      }
    });
    list.before(field);
  });

  // Commands can be copied.
  if (navigator.clipboard) {
    document.querySelectorAll("li > code").forEach((code) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = document.body.dataset.copy;
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = document.body.dataset.copied;
      });
      code.after(" ", button);
    });
  }
})();
