"""What is on the page, by the names that were promised."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message", exact=True)


def send(page: Page) -> Locator:
    return page.get_by_role("button", name="Send", exact=True)


def stop(page: Page) -> Locator:
    return page.get_by_role("button", name="Stop", exact=True)


def article(page: Page, who: str) -> Locator:
    return page.get_by_role("article", name=who, exact=True)


def own(page: Page) -> Locator:
    return article(page, "You")


def replies(page: Page) -> Locator:
    return article(page, "Assistant")


def conversations(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Conversations").get_by_role("link")


def write(page: Page, text: str) -> None:
    """Says something, as a person does."""
    box(page).fill(text)
    send(page).click()


def answered(page: Page, count: int = 1) -> None:
    """Waits for so many replies, the last of them whole. A reply is shown before it is stored: what
    another program writes meanwhile stands before it."""
    expect(replies(page)).to_have_count(count)
    expect(replies(page).last).to_have_attribute("aria-busy", "false")
