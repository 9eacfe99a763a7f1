"""Decimal numbers as Python values that keep their digits."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation

MAX_INT_DIGITS = 4000
"""The longest int made; Python refuses to read and to print much longer ones."""


def read_number(lexeme: str) -> int | float | Decimal | None:
    """The value of a decimal lexeme: an int or a float, or a Decimal where these are too small to hold it.

    None where the exponent is beyond Decimal too.
    """
    digits = lexeme.lstrip("+-")
    if digits.isdigit():
        return int(lexeme) if len(digits) <= MAX_INT_DIGITS else Decimal(lexeme)
    value = float(lexeme)
    if math.isfinite(value):
        return value
    try:
        return Decimal(lexeme)
    except InvalidOperation:
        return None
