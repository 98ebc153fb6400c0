"""Every word that a problem says, in English and Korean: the one place to read and mend them."""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, tuple[int, str, str]] = {
    "bad-request": (400, "The request cannot be read", "요청을 읽을 수 없습니다"),
    "no-token": (401, "A read token is needed", "읽기 토큰이 필요합니다"),
    "wrong-origin": (403, "Asked by a page of another site", "다른 사이트의 페이지가 물었습니다"),
    "not-found": (404, "There is nothing here", "여기에는 아무것도 없습니다"),
    "unknown-case": (404, "There is no such case", "그런 사례가 없습니다"),
    "unknown-term": (404, "There is no such term", "그런 분류 값이 없습니다"),
    "read-only": (405, "Only reading is possible", "읽기만 할 수 있습니다"),
    "not-acceptable": (406, "No such form", "그런 형식으로는 답하지 않습니다"),
    "too-slow-a-body": (408, "The request came too slowly", "요청이 너무 느리게 왔습니다"),
    "too-large": (413, "The request is too large", "요청이 너무 큽니다"),
    "too-long": (414, "The address is too long", "주소가 너무 깁니다"),
    "not-json": (415, "The body must be JSON", "본문은 JSON이어야 합니다"),
    "wrong-host": (421, "Not the name of this server", "이 서버의 이름이 아닙니다"),
    "bad-question": (422, "The question cannot be asked so", "이렇게는 물을 수 없습니다"),
    "too-many": (429, "Too many requests", "요청이 너무 많습니다"),
    "broken": (500, "The server failed", "서버에 문제가 생겼습니다"),
    "unavailable": (503, "The library cannot be read now", "지금은 라이브러리를 읽을 수 없습니다"),
    "busy": (503, "The server is busy", "서버가 바쁩니다"),
    "too-slow": (504, "The answer took too long", "답하는 데 너무 오래 걸렸습니다"),
}
"""Each kind of problem: its status, and its title in English and Korean."""

A_DAY = "give a whole day such as 2024-06-25, year first"
A_DAY_KO = "2024-06-25처럼 연도부터 날짜를 다 쓰세요"

DETAILS: Mapping[str, tuple[str, str]] = {
    "token": (
        "send the header: Authorization: Bearer TOKEN",
        "Authorization: Bearer TOKEN 헤더를 보내세요.",
    ),
    "host": (
        "name this server as it was told to be named (kg serve --name), or its address",
        "서버를 띄울 때 정한 이름(kg serve --name)이나 주소로 부르세요.",
    ),
    "origin": (
        "a page of another site must not ask this server",
        "다른 사이트의 페이지는 이 서버에 물을 수 없습니다.",
    ),
    "pace": ("ask at most {0} times a minute", "1분에 {0}번까지 물을 수 있습니다."),
    "bytes": ("send at most {0} bytes", "{0}바이트까지 보낼 수 있습니다."),
    "json": (
        "send JSON with Content-Type: application/json",
        "Content-Type: application/json과 함께 JSON을 보내세요.",
    ),
    "rpc": (
        "send JSON-RPC with Content-Type: application/json",
        "Content-Type: application/json과 함께 JSON-RPC를 보내세요.",
    ),
    "form": (
        "the page sends a form; programs send JSON and accept JSON",
        "페이지는 양식을 보냅니다. 프로그램은 JSON을 보내고 JSON을 받으세요.",
    ),
    "fields": (
        "the form is not UTF-8, or has too many fields",
        "양식이 UTF-8이 아니거나 칸이 너무 많습니다.",
    ),
    "format": ("format: give json or html", "format: json이나 html을 쓰세요."),
    "tool": (
        "no tool of this name; there are {0}",
        "이런 이름의 도구가 없습니다. {0} 가운데 고르세요.",
    ),
    "text": (
        "a text may have {0} characters; keep what tells what happened; of a log, lines that "
        "differ",
        "글은 {0}자까지 쓸 수 있습니다. 무슨 일이 있었는지 알려 주는 부분과, "
        "로그에서는 서로 다른 줄만 남기세요.",
    ),
}
"""What is wrong with a request and what to do; `{0}` and so on stand for values."""

LIBRARY: Mapping[str, str] = {
    r"(\w+): give a whole number from (\d+) to (\d+)": "{0}: {1}부터 {2}까지의 정수를 쓰세요.",
    rf"(\w+): {A_DAY}": f"{{0}}: {A_DAY_KO}.",
    r"a text of more than (\d+) characters; give it to the assistant": (
        "글이 {0}자를 넘습니다. 긴 글은 진단 도우미에 넣으세요."
    ),
    r"(.+) is one case; give two": (
        "양쪽이 모두 같은 사례({0})입니다. 서로 다른 두 사례를 쓰세요."
    ),
    r"both are texts; .+": (
        "양쪽이 모두 글입니다. 글 하나와 사례 번호 하나, 또는 사례 번호 두 개를 쓰세요."
    ),
    r"the (?:text|query) has no words; .+": "글에 낱말이 없습니다. 무엇을 보았는지 쓰세요.",
    r"(\S+) is observed, but ([^\s,]+)(?:, .+)? is ruled out; drop one": (
        "{0}은(는) 관찰했다고 하고 {1}은(는) 배제했다고 했습니다. 둘 가운데 하나를 빼세요."
    ),
    r"(\S+) cannot be (observed|ruled_out); give a term of (.+)": (
        "{0}은(는) {1}에 쓸 수 없습니다. {2} 가운데 한 분류의 값을 쓰세요."
    ),
    r"no (\w+) ['\"](.*)['\"]; there are (.+)": "{0}: '{1}'은(는) 없습니다. {2} 가운데 고르세요.",
    r"(\w+) is blank; .+": "{0}: 비어 있습니다. 거르지 않으려면 빼세요.",
    r"budget: what must be said takes (\d+) characters; give more than (\d+)": (
        "budget: 꼭 말해야 하는 것만 {0}자입니다. {1}보다 크게 쓰세요."
    ),
}
"""What the library says of a question that cannot be asked so (a pattern), and it in Korean."""

VALUES: Mapping[str, str] = {
    "missing": "꼭 있어야 합니다",
    "extra_forbidden": "모르는 이름입니다. 빼세요",
    "string_type": "글로 쓰세요",
    "string_unicode": "글자로 읽을 수 없습니다",
    "string_too_short": "{min_length}자 이상 쓰세요",
    "string_too_long": "{max_length}자까지 쓸 수 있습니다",
    "list_type": "목록으로 쓰세요",
    "dict_type": "JSON 객체로 쓰세요",
    "too_long": "{max_length}개까지 쓸 수 있습니다",
    "int_type": "정수로 쓰세요",
    "int_parsing": "정수로 쓰세요",
    "int_from_float": "정수로 쓰세요",
    "int_parsing_size": "정수가 너무 깁니다",
    "finite_number": "수로 쓰세요",
    "float_type": "수로 쓰세요",
    "float_parsing": "수로 쓰세요",
    "bool_type": "true나 false로 쓰세요",
    "bool_parsing": "true나 false로 쓰세요",
    "greater_than_equal": "{ge} 이상으로 쓰세요",
    "less_than_equal": "{le} 이하로 쓰세요",
    "literal_error": "{expected} 가운데 고르세요",
    "json_invalid": "JSON으로 읽을 수 없습니다",
    "model_type": "JSON 객체로 쓰세요",
    "model_attributes_type": "JSON 객체로 쓰세요",
    "day": A_DAY_KO,
}
"""What is wrong with a value, by the kind that pydantic gives it; with the names of its context."""
