"""How near an unrelated question comes to a library: the zero point of the dense lane.

Cosines of one encoder lie in a narrow band (multilingual-e5: 0.74 to 0.97 for everything), and
the best of many passages is higher than the best of few. So each library is asked a fixed set of
questions that no incident answers, and a cosine is read as its distance from what these reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from embeddings import Encoder

QUESTIONS = (
    "How long should I boil an egg so that the yolk stays soft?",
    "Which documents do I need to renew a passport?",
    "What is a good beginner exercise plan for the lower back?",
    "Recommend a quiet beach town for a family holiday in May",
    "How do I centre a heading in a style sheet?",
    "Explain the offside rule in football",
    "Who painted the ceiling of the Sistine Chapel?",
    "My tomato plants have yellow leaves, what should I do?",
    "Write a birthday greeting for a colleague",
    "What is the difference between a list and a tuple?",
    "Schedule a meeting with the design team on Thursday",
    "Which tax class applies after a wedding?",
    "The printer on the third floor is out of toner",
    "How many calories are in a bowl of rice?",
    "Translate this poem into Spanish",
    "When does the library open on Sundays?",
    "달걀을 반숙으로 삶으려면 몇 분 걸리나요?",
    "여권을 재발급받으려면 어떤 서류가 필요한가요?",
    "허리에 좋은 초보자용 운동을 알려 주세요",
    "오월에 아이들과 가기 좋은 조용한 바닷가를 추천해 주세요",
    "축구의 오프사이드 규칙을 설명해 주세요",
    "토마토 잎이 노랗게 변했는데 어떻게 해야 하나요?",
    "동료에게 보낼 생일 축하 문구를 써 주세요",
    "결혼하면 세금이 어떻게 달라지나요?",
    "삼층 프린터에 토너가 떨어졌습니다",
    "밥 한 공기의 열량은 얼마인가요?",
    "목요일에 디자인 팀과 회의를 잡아 주세요",
    "도서관은 일요일 몇 시에 여나요?",
    "리스트와 튜플의 차이가 무엇인가요?",
    "이 시를 영어로 옮겨 주세요",
    "김치찌개를 맛있게 끓이는 방법",
    "주말에 볼 만한 영화를 추천해 줘",
)
"""Questions from outside the field, half of them Korean. Written for this purpose."""


def measure_background(encoder: Encoder, vectors: NDArray[np.float32]) -> tuple[float, float]:
    """Mean and standard deviation of the best cosine that each background question reaches.

    Returns (0, 1) for a library without passages.
    """
    if not len(vectors):
        return 0.0, 1.0
    best = (encoder.encode_queries(QUESTIONS) @ vectors.T).max(axis=1)
    # Rounded, so that the last bit of a matrix product never shows in a table.
    return round(float(best.mean()), 6), round(max(float(best.std()), 1e-3), 6)
