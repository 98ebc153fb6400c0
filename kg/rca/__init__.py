"""Root-cause analysis: which cause a sighting may have, and how sure that is."""

from kg.rca.diagnosis import Diagnosis
from kg.rca.postmortem import draft_postmortem
from kg.rca.prediction import CausePrediction, CausePredictor, Sighting
from kg.rca.prompt import to_prompt
from kg.rca.report import AnswerReport
from kg.rca.verify import verify_answer

__all__ = [
    "AnswerReport",
    "CausePrediction",
    "CausePredictor",
    "Diagnosis",
    "Sighting",
    "draft_postmortem",
    "to_prompt",
    "verify_answer",
]
