"""The sentences to proofread."""

from tests.docs.sentences import docstrings, paragraphs

PAGE = """# A heading

First sentence of a
paragraph. A second one.

- an item of a list
- another item,
  in two lines

| a cell | another cell |
| --- | --- |

```sh
no text
```

>>> no_text = 1
"""


def test_pages_are_split_into_paragraphs_items_and_cells() -> None:
    assert list(paragraphs(PAGE, 1)) == [
        (3, "First sentence of a paragraph. A second one."),
        (6, "- an item of a list"),
        (7, "- another item, in two lines"),
        (10, "a cell"),
        (10, "another cell"),
    ]


def test_docstrings_include_those_of_fields() -> None:
    source = '"""A module."""\nx = "no docstring"\n"""A field."""\n\n\ndef f():\n    """A function."""\n'
    assert sorted(docstrings(source)) == [(1, "A module."), (3, "A field."), (7, "A function.")]
