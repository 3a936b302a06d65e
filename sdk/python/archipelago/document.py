"""Reads the kinds of the operations in a GraphQL document."""

import re

_TOKEN = re.compile(
    r'"""(?:\\"""|(?!""").)*"""'  # block string
    r'|"(?:\\.|[^"\\\n\r])*"'  # string
    r"|#[^\n\r]*"  # comment
    r"|[({\[\])}]"
    r"|[$@]?\w+",
    re.DOTALL,
)


def has_mutation(document):
    """Whether an operation is a mutation: only the first word of a definition says what it is."""
    depth = 0
    is_first = True
    for token in _TOKEN.findall(document):
        if token[0] in "\"#":
            continue
        if token in "({[":
            depth += 1
        elif token in ")}]":
            depth -= 1
            is_first = token == "}" and depth == 0
        elif depth == 0:
            if is_first and token == "mutation":
                return True
            is_first = False
    return False
