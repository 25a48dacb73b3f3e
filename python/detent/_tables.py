"""Enumerations of the library, and the words that stand for them."""
from __future__ import annotations

from typing import Any

from ._library import lib

#: What can be read: how the library calls it, and how many numbers a row of the array has; 0: it is a plain vector.
QUANTITIES = {
    "positions": (lib.DETENT_POSITIONS, 0),
    "velocities": (lib.DETENT_VELOCITIES, 0),
    "accelerations": (lib.DETENT_ACCELERATIONS, 0),
    "forces": (lib.DETENT_FORCES, 0),
    "frictions": (lib.DETENT_FRICTIONS, 0),
    "margins": (lib.DETENT_MARGINS, 0),
    "outputs": (lib.DETENT_OUTPUTS, 0),
    "modes": (lib.DETENT_MODES, 0),
    "states": (lib.DETENT_STATES, 0),
    "limits": (lib.DETENT_LIMITS, 2),
    "directions": (lib.DETENT_DIRECTIONS, 0),
    "poses": (lib.DETENT_POSES, 7),
    "reactions": (lib.DETENT_REACTIONS, 6),
    "places": (lib.DETENT_PLACES, 3),
    "axes": (lib.DETENT_AXES, 3),
    "inputs": (lib.DETENT_INPUTS, 0),
    "gravity": (lib.DETENT_GRAVITY, 0),
    "energies": (lib.DETENT_ENERGIES, 0),
    "held": (lib.DETENT_HELD, 0),
}
MODES = {lib.DETENT_LOCKED: "locked", lib.DETENT_WAIT: "wait", lib.DETENT_UNLOCKED: "unlocked"}
CAUSES = {
    lib.DETENT_CAUSE_INITIAL: "initial",
    lib.DETENT_CAUSE_LIMIT: "limit",
    lib.DETENT_CAUSE_STOP: "stop",
    lib.DETENT_CAUSE_THRESHOLD: "threshold",
    lib.DETENT_CAUSE_SEARCH: "search",
    lib.DETENT_CAUSE_SWITCH: "switch",
    lib.DETENT_CAUSE_INPUT: "input",
    lib.DETENT_CAUSE_JAM: "jam",
    lib.DETENT_CAUSE_IMPACT: "impact",
    lib.DETENT_CAUSE_SAMPLE: "sample",
}
#: Where a state is.
STOPS = {-1: "lower", 0: "free", 1: "upper"}
#: Settings that are words.
CHOICES = {
    "integrator": {
        "ida": lib.DETENT_INTEGRATOR_IDA,
        "erk": lib.DETENT_INTEGRATOR_ERK,
        "auto": lib.DETENT_INTEGRATOR_AUTO,
        "euler": lib.DETENT_INTEGRATOR_EULER,
        "rk4": lib.DETENT_INTEGRATOR_RK4,
        "fixed": lib.DETENT_INTEGRATOR_FIXED,
    },
    "linear_solver": {"tree": lib.DETENT_LINEAR_SOLVER_TREE, "dense": lib.DETENT_LINEAR_SOLVER_DENSE},
    "locked_joints": {"weld": lib.DETENT_LOCKED_JOINTS_WELD, "constrain": lib.DETENT_LOCKED_JOINTS_CONSTRAIN},
}
FRAMES = {
    "world": lib.DETENT_REACTION_WORLD,
    "base": lib.DETENT_REACTION_BASE,
    "follower": lib.DETENT_REACTION_FOLLOWER,
}


def in_words(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings whose enumerations are told in words."""
    words = {key: {number: word for word, number in of.items()} for key, of in CHOICES.items()}
    return {key: words[key][value] if key in words else value for key, value in settings.items()}
