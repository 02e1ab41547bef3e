"""What is new in a mail is told apart from what it repeats, in whichever program it was written."""

# ruff: noqa: E501 - what is quoted is as long as it is

from __future__ import annotations

import pytest

from palaver.channels.email import html, quoting
from palaver.channels.email.flowed import flowed, unflowed
from tests.channels.email.mails import mail, read

OLD = "The old words."

REPLIES = {
    "Gmail": "New.\n\nOn Mon, Mar 2, 2026 at 8:00 AM Bob <bob@x.org> wrote:\n\n> {old}\n",
    "Gmail, two lines": "New.\n\nOn Mon, Mar 2, 2026 at 8:00 AM Bob Longname\n<bob@x.org> wrote:\n> {old}",
    "Gmail German": "New.\n\nAm Mo., 2. März 2026 um 08:00 Uhr schrieb Bob <bob@x.org>:\n\n> {old}",
    "Gmail French": "New.\n\nLe lun. 2 mars 2026 à 08:00, Bob <bob@x.org> a écrit :\n\n> {old}",
    "Gmail Spanish": "New.\n\nEl lun, 2 mar 2026 a las 8:00, Bob (<bob@x.org>) escribió:\n\n> {old}",
    "Gmail Italian": "New.\n\nIl giorno lun 2 mar 2026 alle ore 08:00 Bob <b@x.org>\nha scritto:\n> {old}",
    "Gmail Portuguese": "New.\n\nEm seg., 2 de mar. de 2026 às 08:00, Bob <b@x.org>\nescreveu:\n> {old}",
    "Gmail Dutch": "New.\n\nOp ma 2 mrt 2026 om 08:00 schreef Bob <bob@x.org>:\n\n> {old}",
    "Thunderbird German": "New.\n\nAm 02.03.26 um 08:00 schrieb Bob:\n> {old}",
    "Thunderbird below": "Am 02.03.26 um 08:00 schrieb Bob:\n> {old}\n\nNew.",
    "Thunderbird French": "New.\n\nLe 02/03/2026 à 08:00, Bob a écrit :\n> {old}",
    "Apple": "New.\n\n> On 2. Mar 2026, at 08:00, Bob <bob@x.org> wrote:\n> \n> {old}",
    "Apple German": "New.\n\n> Am 02.03.2026 um 08:00 schrieb Bob <bob@x.org>:\n> \n> {old}",
    "iPhone": "New.\n\nSent from my iPhone\n\n> On Mar 2, 2026, at 8:00 AM, Bob wrote:\n> \n> {old}",
    "iPhone German": "New.\n\nVon meinem iPhone gesendet\n\n> Am 02.03.2026 um 08:00 schrieb B:\n> {old}",
    "Outlook": "New.\n\nFrom: Bob <bob@x.org>\nSent: Monday, March 2, 2026 8:00 AM\nTo: A\nSubject: S\n\n{old}",
    "Outlook rule": "New.\n________________________________\nFrom: Bob\nSent: Monday\nTo: A\nSubject: S\n\n{old}",
    "Outlook German": "New.\n\nVon: Bob <bob@x.org>\nGesendet: Montag\nAn: A\nBetreff: S\n\n{old}",
    "Outlook French": "New.\n\nDe : Bob <bob@x.org>\nEnvoyé : lundi\nÀ : A\nObjet : S\n\n{old}",
    "Outlook Spanish": "New.\n\nDe: Bob <bob@x.org>\nEnviado: lunes\nPara: A\nAsunto: S\n\n{old}",
    "Outlook Italian": "New.\n\nDa: Bob <bob@x.org>\nInviato: lunedì\nA: A\nOggetto: S\n\n{old}",
    "Outlook Portuguese": "New.\n\nDe: Bob <bob@x.org>\nEnviada: segunda\nPara: A\nAssunto: S\n\n{old}",
    "Outlook Dutch": "New.\n\nVan: Bob <bob@x.org>\nVerzonden: maandag\nAan: A\nOnderwerp: S\n\n{old}",
    "Outlook bold": "New.\n\n*From:* Bob <bob@x.org>\n*Sent:* Monday\n*To:* A\n*Subject:* S\n\n{old}",
    "Outlook old": "New.\n\n-----Original Message-----\nFrom: Bob\n\n{old}",
    "Outlook old German": "New.\n\n-----Ursprüngliche Nachricht-----\nVon: Bob\n\n{old}",
    "GMX": "New.\n\nGesendet: Montag, 2. März 2026 um 08:00 Uhr\nVon: Bob\nAn: A\nBetreff: S\n{old}",
    "Android": "New.\n\n-------- Original message --------\nFrom: Bob\nDate: 2/3/26\n\n{old}",
    "Android Outlook": "New.\n\nGet Outlook for Android\n________________________________\nFrom: Bob\n"
    "Sent: Monday\nTo: A\n\n{old}",
    "Proton": "New.\n\nSent with Proton Mail secure email.\n\nOn Monday, March 2nd, 2026 at 8:00 AM, Bob"
    " <b@x.org> wrote:\n\n> {old}",
    "mutt": "New.\n\nBob wrote on 2 Mar 2026 at 08:00:\n> {old}",
    "forwarded, Gmail": "New.\n\n---------- Forwarded message ---------\nFrom: Bob\nDate: Mon\n\n{old}",
    "forwarded, Apple": "New.\n\nBegin forwarded message:\n\n> From: Bob\n> Subject: S\n> \n> {old}",
    "forwarded, Thunderbird": "New.\n\n-------- Weitergeleitete Nachricht --------\nBetreff: S\n\n{old}",
    "forwarded, French": "New.\n\n-------- Message transféré --------\nSujet : S\n\n{old}",
    "signed": "New.\n-- \nJane Doe\nFirm\n\nOn 2 Mar 2026 Bob wrote:\n> {old}",
}


@pytest.mark.parametrize("program", REPLIES)
def test_only_what_is_new_is_the_senders(program: str) -> None:
    got = read(mail(REPLIES[program].format(old=OLD).replace("\n", "\r\n"), subject="Re: S"))
    assert got.text == "New."
    quotes = [part["text"] for part in got.parts if part["type"] == "quote"]
    assert len(quotes) == 1
    assert OLD in str(quotes[0])


def test_answers_between_the_lines_are_kept() -> None:
    text = "On 2 Mar 2026, Bob wrote:\n> One?\nYes.\n> Two?\nNo."
    parted = quoting.parted(text.split("\n"))
    assert parted.new == "Yes.\nNo."
    assert parted.quote == "On 2 Mar 2026, Bob wrote:\nOne?\nTwo?"


@pytest.mark.parametrize(
    "text",
    [
        "On Monday we talked, and he wrote a book.",
        "From: Berlin to Rome\nis a long way.",
        "I wrote: nothing.",
        "Sent from my iPhone is what it says, but that is not the end.\nMore follows.",
        "- one\n- two\n--- three",
        "A: yes\nB: no",
    ],
)
def test_what_looks_like_a_quotation_and_is_none_is_kept(text: str) -> None:
    assert quoting.parted(text.split("\n")).new == text


HTML = {
    "Gmail": '<div>New.</div><br><div class="gmail_quote"><div class="gmail_attr">On 2 Mar 2026 B '
    'wrote:<br></div><blockquote class="gmail_quote">{old}</blockquote></div>',
    "Outlook": '<p>New.</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> B<br>'
    "<b>Sent:</b> M</div><div>{old}</div>",
    "Outlook desktop": '<p class="MsoNormal">New.</p><div style="border:none;border-top:solid #E1E1E1">'
    "<p><b>From:</b> B<br><b>Sent:</b> Monday<br><b>To:</b> A<br><b>Subject:</b> S</p></div><p>{old}</p>",
    "Apple": '<body>New.<div><br><blockquote type="cite"><div>On 2 Mar 2026, B wrote:</div>{old}'
    "</blockquote></div></body>",
    "Thunderbird": '<p>New.</p><div class="moz-cite-prefix">Am 02.03.26 um 08:00 schrieb B:</div>'
    '<blockquote type="cite">{old}</blockquote>',
    "Thunderbird signed": '<p>New.</p><div class="moz-signature">-- <br>Jane</div>'
    '<blockquote type="cite">{old}</blockquote>',
    "Yahoo": '<div>New.</div><div class="yahoo_quoted"><div>On Monday B wrote:</div>{old}</div>',
    "Proton": '<div>New.</div><div class="protonmail_quote">On Monday B wrote:<br>{old}</div>',
    "hidden": '<div style="display: none">Buy!</div><style>p {{}}</style><script>alert(1)</script>'
    "<p>New.</p><blockquote>{old}</blockquote>",
}


@pytest.mark.parametrize("program", HTML)
def test_html_is_told_apart_in_the_same_way(program: str) -> None:
    raw = mail(
        HTML[program].format(old=OLD), content_type="text/html; charset=utf-8", subject="Re: S"
    )
    got = read(raw)
    assert got.text == "New."
    assert OLD in str([part["text"] for part in got.parts if part["type"] == "quote"])


def test_html_is_read_as_it_looks() -> None:
    page = (
        "<h1>Title</h1><p>One&nbsp;&amp; <b>two</b>,\n three<br>four</p>"
        "<ul><li>a<li>b</ul><ol><li>x</li><li>y</li></ol>"
        '<p><a href="https://x.org/">the page</a> <a href="https://y.org">https://y.org</a>'
        '<a href="javascript:alert(1)">no</a></p><table><tr><td>1</td><td>2</td></tr></table>'
        "<pre>a\n  b</pre><img alt='A cat' src=x>"
    )
    assert html.rendered(page).lines == [
        "Title",
        "",
        "One & two, three",
        "four",
        "",
        "- a",
        "- b",
        "",
        "1. x",
        "2. y",
        "",
        "the page (https://x.org/) https://y.orgno",
        "",
        "1 2",
        "",
        "a",
        "  b",
        "",
        "[A cat]",
    ]


def test_flowed_lines_are_joined_again() -> None:
    text = (
        "A very long line that goes on and on, " * 5 + "to its end.\n\n> quoted\n From here\n-- \nJ"
    )
    assert unflowed(flowed(text), joining=False) == text.split("\n")
    assert max(map(len, flowed(text).split("\n"))) <= 78
