"""Closed lists of words that `tokens` uses: English stop words, Korean particles."""

from __future__ import annotations

_STOP_WORDS = """
    a about after all also an and any are as at be been before but by can could did do does
    don doesn didn isn wasn weren couldn wouldn hasn hadn
    during each for from had has have he her his how if in into is it its may more most no not
    i me my mine
    of on one only or other our out over she should so some such than that the their them then
    there these they this those to up us was we were what when where which while who why will
    with would you your
"""

STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English words that say nothing about an incident; short on purpose."""

_PARTICLES = """
    은 는 이 가 을 를 의 에 로 와 과 도 만 나 에서 에게 으로 까지 부터 보다 처럼 마다 에는 에도
    에만 와의 과의 로의 로는 로도 만의 이나 이라 라는 에서는 에서도 에서의 으로는 으로도 으로의
    까지는 까지도 부터는 으로써 으로서 로써 로서 이라는 이며 이고 이다 들이 들은 들을 들의 들에
    들도 들과 들로 들에서 하고 조차 밖에 대로 에게서 한테
"""

PARTICLES = frozenset(_PARTICLES.split())
"""Korean case and topic particles, alone and in common chains, and the plural with them."""

_KEPT_WHOLE = """
    시도 정확도 난이도 의존도 중요도 심각도 이용도 활용도 우선도 기여도 만족도 빈도 온도 속도 밀도
    강도 평가 증가 추가 불가 전문가 국가 허가 결과 효과 초과 통과 경과 회의 논의 합의 주의 동의
    경로 회로 통로 선로 도로 서로 별로 차이 길이 깊이 높이 회사 확인
"""

KEPT_WHOLE = tuple(_KEPT_WHOLE.split())
"""Endings of words whose last syllable looks like a particle and is none: 재시도, 시간초과."""
