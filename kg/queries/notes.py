"""What an answer does not mean, said with the answer, in English and Korean."""

from __future__ import annotations

_NOTES: dict[str, tuple[str, str]] = {
    "common": (
        "Compared with the whole library. That cases share a term does not make it their cause.",
        "라이브러리 전체와 견준 값입니다. 사례들이 어떤 값을 공유한다고 그것이 원인이 되지는 "
        "않습니다.",
    ),
    "common few": (
        "None of these is beyond chance: among so few cases a high lift may be a small number.",
        "우연을 넘는 것은 없습니다. 사례가 이렇게 적으면 향상도가 높아도 작은 수의 결과일 수 "
        "있습니다.",
    ),
    "patterns": (
        "Coming together is not causing: this counts what the records of incidents state, and "
        "records of one organisation resemble each other.",
        "함께 나온다고 한쪽이 다른 쪽의 원인은 아닙니다. 사고 기록에 적힌 것을 센 값이며, 같은 "
        "조직의 기록끼리는 서로 닮습니다.",
    ),
    "recurrences": (
        "As far as this library knows. That a follow-up is stated does not say that it was made "
        "before the next incident.",
        "이 라이브러리가 아는 한에서입니다. 후속 조치가 적혀 있다고 다음 사고 전에 이루어졌다는 "
        "뜻은 아닙니다.",
    ),
    "what_if": (
        "This strikes claims out of the records; it does not say what would have happened in the "
        "world.",
        "기록에서 주장을 지워 본 것일 뿐, 실제로 어떻게 되었을지를 말하지 않습니다.",
    ),
    "stats": (
        "Only stated times count; the incidents that state none may have been quicker or slower.",
        "적혀 있는 시간만 셉니다. 시간이 적혀 있지 않은 사고는 더 빨랐을 수도 늦었을 수도 "
        "있습니다.",
    ),
    "trends": (
        "Shares of the records of this library, which need not be those of the world: what is "
        "written up, and taken up here, changes too.",
        "이 라이브러리의 기록에서 차지하는 몫이며 실제 세상의 몫과 다를 수 있습니다. 무엇이 글로 "
        "남고 여기에 실리는지도 해마다 달라집니다.",
    ),
}


def note(key: str, lang: str) -> str:
    """A caution in a language; English where the language is not known."""
    return _NOTES[key][lang == "ko"]
