"""Stop words: the small words of a language, which say more about it than about the subject."""

# ruff: noqa: RUF001

from __future__ import annotations

_EN = """
a about after all also am an and any are as at be because been before being both but by can could
d did do does doing don down each few for from had has have having he her here hers him his how i
if in into is it its just ll m me more most my no nor not now of off on once only or other our out
over own please re s same she should so some such t than that the their them then there these they
this those through to too under until up us ve very was we were what when where which while who
whom whose why will with would you your yours
"""
_DE = """
aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dein dem den denn der
des dich die dir doch du durch ein eine einem einen einer eines er es euch für gegen habe haben hat
hatte ich ihm ihn ihnen ihr ihre im in ist ja jetzt kann kein keine können man mein mich mir mit
nach nicht noch nur ob oder ohne schon sehr sein sich sie sind so soll über um und uns unser unter
vom von vor war waren warum was weil wenn wer werden wie wieder wir wird wo würde zu zum zur
"""
_FR = """
à afin ai alors as au aucun aussi autre aux avais avait avec avez avoir avons bien c ça car ce cela
ces cet cette ceux chez comme comment d dans de des donc du elle elles en encore es est et étaient
était été être eu fait il ils j je l la là le les leur leurs lui m ma mais me même mes moi mon n ne
nos notre nous on ont ou où par pas plus pour pourquoi qu quand que quel quelle qui quoi s sa sans
se ses si son sont suis sur ta te tes toi ton très tu un une va vais vers vos votre vous y
"""
_ES = """
a al algo ante antes así aunque bien cada como cómo con cual cuál cuando cuándo de del desde donde
dónde dos el él ella ellos en entre era eres es esa ese eso esta está están estar este esto estos
estoy fue ha había han has hasta hay he la las le les lo los más me mi mis mucho muy nada ni no nos
nosotros o otra otro para pero poco por porque puede que qué quien se sea ser si sí sin sobre son
soy su sus también tan te tengo tiene todo todos tu tú tus un una uno usted y ya yo
"""
_IT = """
a ad agli ai al alla alle allo anche ancora avere aveva c che chi ci ciò come con cosa così cui da
dal dalla dei del della delle dello di dopo dove e è ed era essere fa fare fra gli ha hai hanno ho
i il in io l la le lei li lo loro lui ma me mi mia mio molto ne nel nella nelle no noi non nostro o
ogni per perché però più poi può quale quando quanto quella quello questa questo qui se sei senza
si sia siamo sono sta stato su sua sul sulla suo ti tra tu tutti tutto un una uno vi voi
"""
_PT = """
a ao aos aquele as até com como da das de dela dele deles depois do dos e é ela elas ele eles em
entre era essa esse esta está estão estar este eu foi foram há isso isto já lhe mais mas me mesmo
meu meus minha muito na não nas nem no nos nós nossa nosso num o onde os ou para pela pelo por
porque pode qual quando quanto que quem se sem ser seu seus só sobre são sua suas também te tem
tenho teu ter tinha todos tu tudo um uma uns você vocês vou
"""
_NL = """
aan al alles als altijd andere ben bij daar dan dat de deze die dit doch doen door dus een en er ge
geen geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij
jullie kan kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder
ons ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want was
wat we wel welke werd wie wij wil worden wordt zal ze zei zich zij zijn zo zonder zou
"""
_SV = """
alla allt att av blev bli blir de dem den denna deras dess det detta dig din där du efter ej eller
en er ett från för ha hade han hans har hon hur här i icke ingen inte jag ju kan kunde kommer man
med mellan men mig min mina mot mycket ni nu någon något några när och om oss på samma sedan sig
sin ska skulle som så till under upp ut utan vad var vara vem vi vid vilken än är över
"""
_DA = """
af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse du
efter eller en end er et for fra ham han hans har havde have hende her hos hun hvad hvis hvor i
ikke ind ingen jeg jer jo kan kunne lige man mange med meget men mig min mine mit mod noget nogle
nogen nu når og også om op os over på selv sig sin skal skulle som sådan så til ud under var vi
vil ville være været
"""
_NO = """
alle at av bare ble bli blir da de deg dem den denne der deres det dette din disse du eller en
enn er et etter for fra før ha hadde han hans har hennes her hun hva hvem hvis hvor hvordan i ikke
ingen inn jeg kan kunne man mange med meg men mer min mitt mot mye må noe noen nå når og også om
opp oss over på selv seg sin sitt skal skulle som så til under ut var ved vi vil ville vår være
vært
"""
_FI = """
ei eikä en ennen et että ettei he hän ja jo joka jos jossa jotka kanssa kaikki koska kuin kuka kun
kuten me mikä mikään minkä minulla minun minut minä missä mitä mutta myös ne niin nyt näin olemme
olen olet oli olin olisi ollut olla on onko ovat se sekä sen siellä siihen siinä sille silloin
sinä sitten sitä tai te tämä tämän tässä tätä vaan vai vaikka vain voi
"""
_RU = """
а без более бы был была были было быть в вам вас весь во вот все всё вы где да даже для до его ее
её если есть еще ещё ж же за здесь и из или им их к как какой когда кто ли меня мне много может мой
моя мы на над надо нас не него нет ни них но ну о об он она они от очень по под после потом почему
при про с сам сейчас со так там тебя тем то тогда того тоже только том ты у уже чего чем что чтобы
эта эти это этот я
"""
_PL = """
a ale bardzo bez bo być był była było były by co czy dla do dlaczego gdy gdzie go i ich ile im ja
jak jako jej jest jestem jeszcze jeśli już każdy kiedy kto która które który ma mam mi mnie może
można mój my na nad nam nas nie nich niż o od on ona oni po pod ponieważ przed przez przy są się
ta tak także tam te tego tej ten też to tu ty tylko w we więc wszystko z za ze że
"""
_CS = """
a ale ani až bez bude by byl byla bylo být co což či do ho i já jak jako je jeho její jejich jen
ještě ji již jsem jsi jsme jsou k kde kdo kdy když která které který ke mám mě mezi mi my na nad
nám nás ne nebo než ni o od on ona oni po pod podle pokud pro proč proto před při s se si tak také
tam ten tento to toho tu ty tím v ve však vy z za ze že
"""
_RO = """
a acea aceasta acest acum ai al ale am ar are as asta au avea că când care ce cea cel cine cu
cum da dacă de deci despre din după ea ei el este eu face fi fie foarte fost în între îi îl îmi
își la le lui mai mă mea meu mult ne nici nu o pe pentru prin s sa să sau se și sunt ta te toate tot
tu un una unde unei unui va vă voi vor
"""
_HU = """
a abban ahol ami amikor az azt azért be belül ben csak de e egy el ez ezt ezért fel ha hanem hogy
hol igen is ismét itt jó kell ki le lehet lesz már meg mi miért mikor mindig mint most nagyon ne
nekem nem nincs olyan ott pedig se semmi sok szerint te tud után vagy vagyok való van vannak
vele volna volt én és így úgy ő ők
"""
_TR = """
acaba ama ancak artık aslında az bana bazı belki ben beni benim bir biraz biri birkaç birşey biz
bizim bu buna bunu çok çünkü da daha de değil diye en gibi hangi hem hep her hiç için ile ise kadar
kendi ki kim mı mi mu mü nasıl ne neden nerede niye o olan olarak oldu olduğu onlar onu onun sanki
sen senin siz sizin şey şimdi şu tüm var ve veya ya yani yok
"""
_ID = """
ada adalah agar akan aku anda apa apakah atau bagaimana bahwa banyak belum bisa bukan dalam dan
dapat dari dengan di dia hanya harus ini itu jika juga kami kamu kapan karena kata ke kita lagi
lebih mana mereka masih mengapa oleh pada para saat saja sangat saya sebagai sebuah sedang semua
seperti siapa sudah supaya telah tetapi tidak untuk yang
"""

STOP_WORDS = {
    language: frozenset(listed.split())
    for language, listed in {
        "cs": _CS,
        "da": _DA,
        "de": _DE,
        "en": _EN,
        "es": _ES,
        "fi": _FI,
        "fr": _FR,
        "hu": _HU,
        "id": _ID,
        "it": _IT,
        "nl": _NL,
        "no": _NO,
        "pl": _PL,
        "pt": _PT,
        "ro": _RO,
        "ru": _RU,
        "sv": _SV,
        "tr": _TR,
    }.items()
}
