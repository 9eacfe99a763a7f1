"""URI references against the examples of RFC 3986."""

from __future__ import annotations

import pytest

from draftlift.schema.uri import has_scheme, join, normalise, readings, resolve

BASE = "http://a/b/c/d;p?q"

# RFC 3986, 5.4.1 and 5.4.2, without those that differ in the fragment alone
EXAMPLES = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y": "http://a/b/c/g;x?y",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "http:g": "http:g",
}


@pytest.mark.parametrize(("reference", "target"), EXAMPLES.items())
@pytest.mark.parametrize("scheme", ["http", "app", "x-y+z.1"])
def test_the_examples_of_the_rfc_in_any_scheme(scheme: str, reference: str, target: str) -> None:
    if reference == "http:g":
        assert resolve(BASE, reference) == target
    else:
        assert resolve(BASE.replace("http", scheme), reference) == target.replace("http", scheme)


@pytest.mark.parametrize(
    ("base", "reference", "target"),
    [
        ("http://h", "x", "http://h/x"),
        ("urn:example:a", "b", "urn:b"),
        ("mailto:a", "?q", "mailto:a?q"),
        # nobody knows the base
        ("", "a/b", "a/b"),
        ("", "./a", "a"),
        ("", "../a", "../a"),
        ("a/b/c", "../../x", "x"),
        ("a/b/c", "../../../x", "../x"),
        ("", "/../a", "/a"),
        ("", "//h/a", "//h/a"),
        ("x:/a", "..//b", "x:/.//b"),
    ],
)
def test_other_bases(base: str, reference: str, target: str) -> None:
    assert resolve(base, reference) == target


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("HTTP://www.EXAMPLE.com/", "http://www.example.com/"),
        ("http://a/%7euser", "http://a/~user"),
        ("http://a/%c3%a9", "http://a/%C3%A9"),
        ("http://a/é b", "http://a/%C3%A9%20b"),
        ("http://a/./b/../c", "http://a/c"),
        ("http://a/b/%2e%2e/c", "http://a/c"),
        ("http://a", "http://a/"),
        ("http://a:/", "http://a/"),
        ("http://a:80/", "http://a/"),
        ("https://u@A:443/", "https://u@a/"),
        ("http://[::1]:80/x", "http://[::1]/x"),
        ("app://%41b/", "app://ab/"),
    ],
)
def test_spellings_of_one_uri(one: str, other: str) -> None:
    assert normalise(one) == normalise(other) == normalise(normalise(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a/B", "http://a/b"),
        ("http://U@a/", "http://u@a/"),
        ("http://a/b%2Fc", "http://a/b/c"),
        ("http://a/?", "http://a/"),
        ("http://a:443/", "http://a/"),
        ("app://a", "app://a/"),
        ("http://a/b/", "http://a/b"),
    ],
)
def test_different_uris(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_a_reference_that_can_be_read_in_two_ways() -> None:
    assert readings("https://e.com/a/b", "https:c") == ("https:c", "https://e.com/a/c")
    assert readings("https://e.com/a/b", "HTTPS:c") == ("https:c", "https://e.com/a/c")
    assert readings("https://e.com/a/b", "http:c") == ("http:c",)
    assert readings("https://e.com/a/b", "https://e.com/c") == ("https://e.com/c",)
    assert readings("urn:example:a", "urn:example:b") == ("urn:example:b",)


@pytest.mark.parametrize("text", ["https://[", "//", "://", "http://a:b:c/", "%", "%zz", "\ud800", "a\nb", "?", "//@:"])
def test_nothing_is_too_strange(text: str) -> None:
    assert join("", normalise(text)) == normalise(text)
    for base in ("", "http://a/b", "urn:x", text):
        join(base, text)


def test_has_scheme() -> None:
    assert has_scheme("a+b-c.1:x")
    assert not has_scheme("1a:x")
    assert not has_scheme("a/b:c")
    assert not has_scheme("")
