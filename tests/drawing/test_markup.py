"""Names are text in HTML, in SVG and in pages; the elements around them stay the same."""

import xml.etree.ElementTree as ET

import pytest

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.core.svg.markup import Markup, element, filled
from pocketmars_env.core.svg.themes import THEMES
from tests.names import EVIL_NAMES

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_an_element_has_names_as_text_and_in_attributes(name: str) -> None:
    found = ET.fromstring(element("p", name, element("b", name, data_name=name), class_="a"))
    assert (found.attrib, found.text, [part.tag for part in found]) == ({"class": "a"}, name, ["b"])
    assert (found[0].attrib, found[0].text) == ({"data-name": name}, name)


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_the_slots_of_a_page_are_filled_with_text_or_markup(name: str) -> None:
    page = filled('<p title="{{name}}">{{name}}{{part}}</p>', name=name, part=Markup("<b/>"))
    found = ET.fromstring(page)
    assert (found.attrib, found.text, [part.tag for part in found]) == ({"title": name}, name, ["b"])


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_a_picture_has_names_as_text(name: str) -> None:
    canvas = Canvas(THEMES["light"])
    with canvas.panel(Box(0, 0, 200, 200), "none", about=name):
        canvas.text(10, 20, name, 12)
        canvas.text(10, 40, "player_0", 12)
    found = ET.fromstring(canvas.picture(200, 200, name).svg())
    assert [part.tag.removeprefix(SVG) for part in found.iter()] == [
        "svg", "title", "rect", "g", "title", "rect", "text", "text",
    ]  # fmt: skip
    assert [part.text for part in found.iter() if part.text] == [name, name, name, "player_0"]
    (panel,) = canvas.picture(200, 200, name).panels
    renamed = ET.fromstring(panel.svg(lambda text: text.replace("player_0", name)))
    assert [part.text for part in renamed.iter("text")] == [name, name]


def test_a_renamed_text_gets_its_own_width() -> None:
    canvas = Canvas(THEMES["light"])
    with canvas.panel(Box(0, 0, 200, 200), "none"):
        canvas.text(10, 20, "player_1", 12)
        canvas.text(10, 40, "Deck", 12)
    (panel,) = canvas.picture(200, 200, "").panels
    first, second = ET.fromstring(panel.svg(lambda text: text.replace("player_1", "planner"))).iter("text")
    assert (first.text, "textLength" in first.attrib) == ("planner", False)
    assert (second.text, "textLength" in second.attrib) == ("Deck", True)
