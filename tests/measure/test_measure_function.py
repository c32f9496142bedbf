# SPDX-License-Identifier: Apache-2.0
"""Boolean functions as Liberty writes them."""

import pytest

from gcmforge.measure.function import FunctionError, truth_table


@pytest.mark.parametrize(
    ("text", "inputs", "table"),
    [
        ("A", "A", 0b10),
        ("!A", "A", 0b01),
        ("A'", "A", 0b01),
        ("(A')'", "A", 0b10),
        ("(A&B)", "AB", 0b1000),
        ("A B", "AB", 0b1000),
        ("!(A*B)", "AB", 0b0111),
        ("A+B", "AB", 0b1110),
        ("A^B", "AB", 0b0110),
        ("(A&!S)|(B&S)", "ABS", 0b11001010),
        ("!((A B)+C)", "ABC", 0b00000111),
        ("A' B' + A B", "AB", 0b1001),
        ("A|B&C", "ABC", 0b11101010),
        ("1", "A", 0b11),
    ],
)
def test_function_has_this_truth_table(text: str, inputs: str, table: int) -> None:
    assert truth_table(text, inputs) == table


@pytest.mark.parametrize("text", ["A&", "(A", "A)", "Q", "A ? B : C", ""])
def test_text_that_is_no_function_is_refused(text: str) -> None:
    with pytest.raises(FunctionError):
        truth_table(text, "AB")
