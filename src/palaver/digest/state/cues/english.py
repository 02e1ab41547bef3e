"""English cues."""

from palaver.digest.state.cues.words import Cues

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|june|july|august|september|october|november|december|"
    r"may \d|\d(?:st|nd|rd|th)? (?:of )?may)"
)
_SPAN = r"(?:week|weekend|month|year|morning|afternoon|evening|quarter|sprint|time|" + _DAY + ")"
_WHEN = (
    rf"(?:tomorrow|tonight|later|soon|(?:next|this) {_SPAN}|on {_DAY}|over the weekend|"
    r"in the (?:morning|evening|afternoon)|after (?:work|lunch|dinner|school|the \w+)|"
    r"in (?:a|an|one|two|three|\d+) (?:moment|minute|hour|day|week|month)s?)"
)
_I = r"(?:i|we)"
_LEAD = (
    r"^(?:(?:and|so|then|now|ok|okay|also|please|pls|hey|hi|well|oh|great|good|thanks|thank you|"
    r"perfect|yes|actually|alright|all right|sure|fine|first|next)[,.]? |\w+, )?"
)
_VERB = (
    r"(?:add|analy[sz]e|arrange|ask|back up|begin|block|book|bring|build|buy|calculate|call|cancel|"
    r"change|check|clean|clear|close|compare|compose|convert|copy|count|create|delete|deploy|"
    r"describe|design|disable|do(?! you| i\b| we| they| not|n't)|download|draft|draw|email|enable|estimate|explain|export|extract|"
    r"fetch|file|fill|find|finish|fix|format|forward|generate|get|give|halve|help|import|improve|"
    r"install|invite|launch|list|look|mail|make|merge|message|move|open|order|organi[sz]e|outline|"
    r"pause|pay|ping|plan|play|prepare|print|proofread|pull|put|read|rebook|recommend|remove|rename|"
    r"renew|replace|reply|reserve|reset|restart|resume|retry|review|rewrite|rephrase|roll|run|save|"
    r"schedule|search|sell|send|set|share|shorten|show|sign|sort|start|stop|submit|suggest|"
    r"summari[sz]e|swap|switch|teach|tell|test|track|transfer|translate|try|turn|undo|update|"
    r"upgrade|upload|use|verify|walk|write)"
)
_TEXTS = (
    r"(?:e-?mail|mail|letter|message|text|story|poem|song|speech|post|tweet|lines?|paragraph|"
    r"questions?|quiz|dialogue|script|essay|caption|reply|response|note|invitation|announcement|"
    r"interview|jokes?|transcript|article|blog|limerick|scene|chapter|sketch|survey|slogan|toast|"
    r"description|bio|ad|copy)"
)
_VAGUE = (
    r"(?:cool|great|crazy|weird|sad|lovely|amazing|awesome|funny|nice|annoying|ridiculous|stupid|"
    r"insane|wild|wonderful|cute|unfair|lucky)"
)
_PRONOUN = r"(?:it|that|this|them|those|these|he|she|they|you|we|i)"
_DONE = (
    r"(?:done|finished|complete|completed|sorted|handled|resolved|fixed|solved|closed|cancell?ed|"
    r"merged|shipped|deployed|stopped|aborted|settled|deleted|delivered|released|is through|"
    r"taken care of|wrapped up|dealt with)"
)

ENGLISH = Cues(
    please=r"\b(?:please|pls|plz|bitte|por favor|per favore|per piacere|s'il (?:te|vous) plait|stp|svp|alsjeblieft|alstublieft)\b",
    request=(
        rf"{_LEAD}{_VERB}\b(?! (?:is|was|are|were|has|had|does|did)\b)"
        r"|\b(?:can|could|would|will) (?:you|u)\b|\bhelp me\b|^(?:\w+,? )?let's (?!see|say|hope|not|just|be)\w+"
        rf"|^(?:\w+,? )?{_I}(?:'d like| would like| want| need(?! to)|'m looking for| am looking for)\b"
    ),
    drafting=(
        r"\b(?:write|draft|compose|rewrite|rephrase|reword|translate|paraphrase|summari[sz]e|"
        r"proofread|make up|invent|polish)\b"
        rf"|\b(?:generate|come up with|give me|suggest|list|create|make|prepare|need|continue)\b.*\b{_TEXTS}\b"
        r"|\b(?:sound|make (?:it|that|this)) (?:more|less|shorter|longer)\b"
    ),
    greeting=(
        r"\bhow (?:are|r) (?:you|u|things|we)\b|\bhow(?:'s| is|s) (?:it going|everything|life|things|"
        r"your (?:day|morning|evening|week))\b|\bwhat'?s (?:up|new|going on)\??$|\bhow do you do\b|"
        r"\bhow have you been\b|\b(?:are )?you (?:there|ok|okay|awake|around)\b\??$|\bhow was your (?:day|weekend|night)\b"
    ),
    rhetorical=(
        r"\bwho (?:knows|cares|needs|doesn'?t|wouldn'?t|would have thought|would've thought|am i "
        r"kidding|asked|isn'?t)\b|\bwhy (?:me|bother|not|oh why)\b|\bwhy (?:do|does|is|are|must|can) .*\b(?:always|never|ever)\b"
        r"|\bhow (?:hard|bad|difficult|long|much worse|complicated) can (?:it|that|this|one) \w+\??$"
        rf"|\bhow {_VAGUE} is (?:that|this|it)\b|\bwhat (?:could|can) (?:possibly )?go wrong\b"
        r"|\bwhat(?:'s| is) the point\b|\bwhat(?:'s| is) not to\b|\bwhat else is new\b"
        r"|\bwhat can (?:i|you|one|we) (?:say|do)\b|\bcan you (?:believe|imagine)\b|\bcan'?t you see\b"
        r"|^(?:and |but )?(?:do )?(?:you|ya) know(?: what)?(?: i mean)?\W*$|\bguess what\b|\bknow what i mean\b"
        r"|^(?:see|really|seriously|huh|what|wow|oh yeah|hm+|eh|ok|okay|right|no|yes|and|so|so what|"
        r"for real|say what|oh really|is that so|you think|remember)\W*$"
        r"|\bam i (?:crazy|mad|wrong|right|the only)\b|\bwhere (?:did|does) the time go\b"
        r"|\bwhen will (?:i|they|people|we|he|she) (?:ever )?learn\b|\bis it (?:just|only) me\b"
        r"|\bsince when\b|\bwhat was i thinking\b|\bwould it kill\b|\bwhat do i know\b|\bdo i look like\b"
        r"|\b(?:how|what|why|who) (?:on earth|the hell|the heck|in the world)\b|\bhow dare\b|\bwhat are the odds\b"
        r"|\bwhat more (?:could|can|do)\b|\bwhose idea\b|\bhow (?:many times|often) do i have to\b"
        rf"|^(?:\w+,? )?(?:isn'?t|wasn'?t|aren'?t|ain'?t|weren'?t) {_PRONOUN}\b"
        r"|^(?:\w+,? )?(?:don'?t|doesn'?t|didn'?t) (?:you|we|it|that|they) (?:just|all|ever)\b|\bdon'?t you (?:just )?(?:love|hate)\b"
        rf"|, ?(?:right|no|yes|yeah|huh|eh|ok|okay|correct|don'?t you think|you know|innit|am i right|\w+n'?t {_PRONOUN}|"
        rf"(?:is|are|was|were|do|does|did|has|have|can|will|would) {_PRONOUN})\W*$"
        r"|\b(?:lol|haha|lmao)\W*$"
        r"|^(?:the|my|our|his|her|their)(?: \w+){1,3}\?$"
    ),
    self_answer=(
        r"^(?:because|simple|simply|easy|easily|well[,:]|it'?s because|the answer|nothing|nobody|"
        r"no one|none|no[,.!]|yes[,.!]|exactly|probably|maybe|apparently|a \w+[.!]|turns out|of course)"
    ),
    hypothetical=(
        rf"^(?:and |but |so |ok,? |well,? )?(?:if|suppose|supposing|imagine|assuming|assume|let's say|"
        rf"say {_I}|hypothetically|what if|in case|unless|when|whenever|once|for example|e\.g\.|say,)\b"
        r"|\b(?:would|could|might|should|'d) have(?: to)?\b|\bif (?:i|we|you|he|she|they|only)\b|\bas if\b"
        r"|\b(?:i|we|you|he|she|they)'?d (?:need|have) to\b|\bin theory\b|\bused to\b"
    ),
    reminder=(
        r"\bremind (?:me|us)\b(?! (?:what|who|where|when|which|why|how|again\b|of\b))"
        r"|\bdo(?:n'?t| not) let me forget\b|(?<!i )(?<!we )(?<!you )(?<!and )\b(?:don'?t|do not) forget (?:to|about|the|my|our)\b|\b(?:must not|mustn'?t|can'?t|cannot|shouldn'?t) forget (?:to|about|the|my|our)\b"
        r"|^(?:\w+,? )?(?:please )?set (?:me )?an? (?:reminder|alarm)\b"
    ),
    notify=(
        r"\b(?:tell|let|ping|notify|alert|message|text|warn|inform) (?:me|us)(?: know)? (?:when|once|"
        r"as soon as|after|whenever)\b(?! you (?:need|want|have any))|\bkeep (?:me|us) (?:posted|updated|informed)\b"
        r"|\bget back to me\b|^(?:\w+,? )?keep an eye on\b"
    ),
    task=(
        r"\bstill (?:need|needs|have|has|got|must|ought|gotta) to\b|\bstill must\b"
        rf"|\b{_I} (?:need|have|must|got|'ve got)(?: to)? remember to\b"
        r"|\bto-?do\b ?[:\-]|^to-?do\b|\b(?:action item|note to self|open (?:point|question|item))s?\b ?:"
        r"|\b(?:have|has|is|are|was|did|were)(?: not|n'?t)\b(?! (?:really )?(?:been|seen|read|watched|tried|played|heard|met|sure|decided|considered|used|made up|had (?:much|any)|explored|visited|gotten around|had (?:a|the|any) chance to (?:try|play|read|watch|see|explore|visit)|had (?:a|the) chance yet)\b).*\byet\b"
        r"|\b(?:is|are) yet to\b|\bi have yet to\b"
        r"|\bstill (?:waiting|owe|missing|pending|outstanding|unresolved|undone|unpaid|unfinished|open|to do|to be done|haven'?t|hasn'?t|isn'?t|aren'?t)\b"
        r"|\bwaiting (?:to hear|for .* (?:reply|answer|response|confirmation|feedback)|on .* to)\b"
        rf"|\b{_I} (?:promised|owe|agreed to|committed to|volunteered to|am due|'m due)\b|\b(?:is|are|'s) due\b(?! for| to)|\bthings (?:left to|for (?:today|tomorrow|this week|next week))\b"
        rf"|\bon my (?:to-?do )?list\b|\b{_I} keep (?:forgetting|putting off)\b|\b(?:left|remains) to (?:do|be done)\b"
        r"|\b(?:unfinished business|loose ends?)\b"
    ),
    duty=(
        rf"\b{_I}(?:'ve got to| have got to| have to| need to| must| gotta| ought to|'m supposed to| am supposed to| should(?: really| probably| also)?) "
        r"(?!go\b|run\b|leave\b|say\b|admit\b|ask you\b|agree\b|wonder\b|laugh\b|confess\b|be\b|been\b|know\b|a\b|an\b|the\b|no\b|some\b|two\b)\w+"
        r"|\b(?:need|needs|has|have) to be (?:\w+ed|sent|paid|done|written|made)\b"
    ),
    deadline=(
        rf"\b(?:by|before|until|till|no later than) (?!the way\b|then\b|that\b|me\b|you\b|it\b|hand\b|bike\b|bus\b|car\b|train\b|myself\b)\w"
        rf"|\b{_WHEN}\b|\btoday\b|\bdue\b|\bdeadline\b|\basap\b|\b{_MONTH}\b|\bat some point\b|\beventually\b"
    ),
    errand=r"\bi(?:'ve got to| have to| need to| must| gotta) (?:call|e-?mail|text|book|buy|order|pay|renew|return|send|submit|file|cancel|fix|repair|pick up|drop off|sign|register|apply|schedule|reply|respond|answer|finish|write to|contact|ask (?!you)|tell (?!you)|print|wash|clean|collect|replace|mail|transfer|fill (?:in|out)|hand in)\b",
    put_off=(
        r"\b(?:come|circle) back to (?:that|this|it|the|those|these|our|my|your)\b|\bget back to (?:that|this|it)\b"
        r"|(?:\blet's|\blet us|\bwe'll|\b(?:should|can|could|will|must|to)) revisit\b(?<!i will revisit)|\bpick (?:this|that|it|things|the \w+) (?:back )?up (?:again|later|tomorrow|next|another)"
        r"|\bpark (?:that|this|it|the)\b(?! car)|\bput a pin in\b|\b(?:put|keep|leave) (?:that|this|it|the \w+|them) (?:on hold|aside|off)\b"
        r"|\bpostpone|\btable (?:that|this|it|the \w+) (?:for|until|till)\b|\bshelve (?:that|this|it|the)\b"
        r"|\bleave (?:that|this|it|the \w+|those) (?:for (?:now|later|tomorrow|another)|open|until|till)\b|\bskip (?:that|this|it|the \w+) for now\b"
        rf"|\b(?:let's|let us|we(?:'ll| will| can| could| should| might)|i(?:'ll| will|'d rather)|can we)\b[^.]{{0,30}}\b(?:decide|discuss|talk about|talk|continue|finish|handle|figure out|sort|deal with|choose|settle|worry about|look at|tackle)\b[^.]*\b(?:{_WHEN}|on {_DAY}|another (?:time|day)|some other time|once|when|after|(?:at|in) (?:the|our) (?:\w+ )?(?:meeting|call|review|stand-?up))\b"
        r"|\b(?:let me|i'?ll|i will|i'?d (?:like|have|need) to|i need to|i have to|i want to|we'?ll|we need to|let us|let's|need time to) (?:think (?:about|on|it over|over)|sleep on|mull|consider (?:it|that|this))\b(?!.*\.\.\.$)"
        r"|\bthink (?:it|that|this) over\b|\bsleep on it\b"
        r"|\b(?:haven'?t|have not|hasn'?t|not|still) (?:yet )?decided\b(?! to)|\bundecided\b|\b(?:haven'?t|have not) made up (?:my|our) mind\b|\b(?:can'?t|cannot) decide\b|(?<!\()\btbd\b|\bto be (?:decided|determined|confirmed)\b"
        r"|\bstill (?:thinking about|deciding|torn|on the fence|debating)\b|\bon the fence\b"
        r"|\bnot sure (?:yet )?(?:if|whether|which) (?:i|we)\b|\b(?:another|some other) (?:time|day)\b(?= ?[.!]?$)"
        rf"|^(?:\w+,? )?(?:{_VERB}|let's \w+)\b[^?]*\b(?:later|another time|some other time|next time)\b"
        r"|\bremains? (?:an )?open\b|\bstill (?:an )?open\b"
    ),
    will=r"\bi(?:'ll| will| shall|'m going to| am going to|'m gonna)\b|\blet me (?!know|see if you)\b|\bwill do\b|^(?:will|gonna) (?!you|it|that|the|this|there)\w+",
    we_will=r"\bwe(?:'ll| will| shall|'re going to| are going to)\b",
    idle_will=(
        r"\bin mind\b|\b(?:think|maybe|perhaps|guess|suppose|might|hope|wish|planning|make sure|try|focus|explore|stay|enjoy|continue)\b|\b(?:'ll|will|shall|going to|gonna) (?:definitely |certainly |probably |also )?(?:be|have|never|not|always|remember|keep (?:it|that|this) in mind|keep in mind|note|"
        r"take (?:that|it) into|take a note|assume|explain|walk you|start (?:with|by)|do my best|help|gladly help|try to|need|probably|just|see you|wait|stop|miss|let you (?:go|choose|decide))\b"
        r"|\b(?:see|talk to|speak to|catch) (?:you|ya)\b|\b(?:if|once|when|whenever|as soon as|after|until|unless) you\b"
        r"|\b(?:i|we) (?:will not|won'?t)\b|\blet me (?:explain|show|give|help|walk|put it|tell|be|guess|rephrase|break|summari[sz]e|start|know)\b"
    ),
    user_mark=(
        rf"\b(?:(?!soon){_WHEN}|today|let you know|report back|get back to you|keep you (?:posted|updated)|(?:send|show|bring|forward|email|text|message)(?: it| them| that| this)?(?: to)? you|tell you (?:when|which|what|how|if|whether|once|tomorrow|later)|"
        r"look (?:it|that|them|this) up|find out|check (?:with|again|whether|if)|ask (?:him|her|them|my|the|our|around)|follow up|come back)\b"
    ),
    defer=(
        r"\b(?:get back (?:to you|with)|back to you|let (?:you|everyone|them|him|her) know|keep you (?:posted|updated|informed)|follow up|follow-up|report back|update you|look into|"
        r"check (?:with|back|in (?:on|with|again))|find out|investigate|(?:remind|notify|ping|alert|message|inform|email|warn) you|tell you (?:when|once|as soon|tomorrow|later)|keep an eye|"
        r"ask (?!you|a|some)\w+|contact|reach out|as soon as|shortly|escalate|in the meantime|dig into|work on (?:it|that|this)|send (?:you|it|them|him|her|the|that|this|an?)\b)"
        rf"|\b{_WHEN}\b|\bby (?:{_DAY}|tomorrow|tonight|noon|the end|\d)"
    ),
    check=(
        r"\b(?:will do|check|look|see|dig|search|verify|think|prepare|draft|put together|run|start|send|order|book|arrange|schedule|handle|take care|do|get|finish|fix|update|pull|find|ask|call|make|add|set|forward|review|test|write|order|file|submit)\b"
    ),
    agreed=(
        r"^(?:sure|ok|okay|of course|will do|on it|noted|got it|gladly|happy to|certainly|absolutely|understood|all right|alright|fine|agreed|great|good|right|yes|no problem|you got it|consider it done|roger|copy that|i can|i'?d be happy to|my pleasure|with pleasure|thanks|thank you|sounds good|take your time|makes sense|one moment|just a (?:moment|second|minute)|hold on|give me a (?:moment|second|minute))\b"
    ),
    non_answer=(
        r"\bi'?m not able to\b|"
        r"\b(?:don'?t|do not|didn'?t|did not) (?:actually |really |currently )?(?:know|have (?:access|information|that|any|an answer|the|enough|details|data)|remember|recall|find|see any)\b|\bno idea\b|\b(?:i'?m|i am) (?:not (?:sure|certain)|unable|unsure)\b"
        r"|\b(?:couldn'?t|could not|can'?t|cannot|can not|was unable to|wasn'?t able to|unable to) (?:find|say|tell|answer|access|look|see|determine|check|confirm|open|read|reach)\b"
        r"|\b(?:found|know|have) nothing\b|\bno (?:information|record|results?|data|mention)\b|\bhaven'?t (?:found|heard|got|checked|looked)\b|\bnot known\b|\bhard to say\b|\bgood question\b[.!]?$"
    ),
    offer=(
        r"\b(?:would|do) you (?:like|want|prefer|need)(?: (?:me|us|to see|to hear|some|any|more|help|another|an? \w+|to know more))\b|\b(?:want|need) (?:me|us|some|any|more|help|another)\b|^(?:\w+,? )?want (?:me|to)\b"
        r"|\b(?:shall|should|can|may|could) (?:i|we)\b|\binterested in\b|\bwould (?:it|that) help\b|\bcare for\b|\bhow about (?:i|we)\b"
    ),
    courtesy=(
        r"\banything (?:else|specific|in particular)\b|\bwould you like (?:more|to (?:know|hear|learn|see|explore)|some|any|another|me to (?:provide|explain|share|make any|suggest|elaborate|give|go|show|help))\b|\bcatch(?:es)? your\b|\bappeals? to you\b|^(?:\w+,? )?(?:how|what) about\b|\bopen to\b|\bin the mood\b|\bready to\b|\blet me know (?:what|how|which|when|if) (?:you|it|that|they|things) (?!want|would|need|prefer|mean)|\b(?:do you have|are there|got|have you got) any\b|\binterested in\b|\bstands? out\b|\bresonate|\bexcited\b|\bany(?: other| more| further)? questions\b|\b(?:does|did|do|would|will) (?:that|this|it|these|those|any of (?:that|these|this))\b.*\b(?:help|make sense|work|answer|sound|clear|ring a bell|look right|fit)\b"
        r"|\bhow does (?:that|this|it) (?:sound|look|feel)\b|\bhow (?:do|did) you (?:feel|like|find)\b|\bsounds? (?:good|like a plan|right|ok)\b|\bwhat do you think\b|\bmake(?:s)? sense\b|\bready\b\??$"
        r"|\b(?:how|what|where) (?:can|may|else can|could|would you like) (?:i|me|us) (?:to )?(?:help|do|assist|start|begin)\b|\bwhat (?:would you like|do you want) to (?:do|talk about|discuss|work on|know|try|explore)\b"
        r"|\bhow (?:did|is|was|are) (?:it|that|things|everything|you)\b|\bwhat brings you\b|\bany thoughts\b|\bcan i help\b|\bwhat'?s on your mind\b|\bwhere (?:would you like|do you want|shall we|should we) (?:to )?(?:begin|start)\b"
        r"|\bwhat else\b|\bcurious\b|\bhave you (?:ever )?(?:tried|considered|thought|told|been|seen|read|heard|had)\b|\bisn'?t it\b|\bfeel free\b"
    ),
    need=(
        r"\b(?:could|can|would|will) you (?:please |kindly |first |quickly |just )*(?:share|send|paste|provide|tell|confirm|clarify|specify|give|let me know|upload|attach|describe|elaborate|say|point|show|check|remind me)\b"
        r"|^(?:\w+,? )?(?:please|pls) (?:share|send|paste|provide|tell|confirm|clarify|specify|give|let me know (?!if|what you think)|upload|attach|describe|choose|pick|select|reply|enter)\b"
        r"|\b(?:i|we)(?:'ll| will| would|'d| just| still| only| also)*(?: just| still| only| also| first)* need (?:to know|your|the|a|an|some|more|two|three|one|a few|you to|from you|confirmation|permission|access|at least|\w+ (?:details|information|things))\b"
        r"|\blet me know (?:which|what|whether|who|where|when (?:you (?:want|would|need|plan|prefer))|how|your|the|if you (?:prefer|mean|meant|want it))\b"
        r"|\b(?:do|did) you mean\b|\bare you (?:referring|talking about|asking about)\b|\bwhat (?:exactly )?do you mean\b"
        r"|\b(?:tell|give|send) me (?:which|what|whether|who|where|your|the|more)\b"
    ),
    choice=r"\b(?:which|what|when|where|who|how)\b.*\b(?:should|shall) i\b|\b(?:should|shall) i\b.*\bor\b|\b(?:want|like) me to\b.*\bor\b",
    aside=(
        r"^(?:oh,? |ah,? |um,? |hm,? |sorry,? |ok,? )*(?:wait|hold on|hang on|one (?:moment|sec|second)|just a (?:moment|sec|second|minute)|brb|gotta|got to|by the way|btw|anyway|before (?:that|we|you|i)|first,|different (?:topic|question)|"
        r"(?:an)?other (?:question|thing|topic)|quick question|unrelated|speaking of|on (?:another|a different) (?:note|topic)|changing (?:the )?(?:topic|subject)|something else|also|later|not now)\b"
        r"|\b(?:is calling|have to go|gotta go|need to run|brb|be right back|talk later|another question|other question|different question)\b"
    ),
    unready=(
        r"\b(?:one|a|just a|gimme a) (?:sec|second|moment|minute|min)\b|\b(?:hold|hang) on\b|\bbrb\b|\boff the top of\b|"
        r"\b(?:don'?t|do not) (?:know|have (?:it|that|them|the|my)|remember)\b|\bnot sure\b|\bno idea\b|\b(?:look|check|find)(?:ing)? (?:it|that|this|them) (?:up|out|first|later|tonight|tomorrow)\b"
        r"|\b(?:have|need|want) to (?:check|look|ask|think|see|find)\b|\blet me (?:check|look|see|ask|think|find|get back)\b|\bi'?ll (?:check|look|ask|see|find out|think|let you know|get back|tell you)\b|\b(?:tell|send|give|answer) you (?:that )?(?:later|tomorrow|tonight|soon)\b|\bnot (?:yet|now)\b|\blater\b|\bstill (?:thinking|deciding)\b|\bgood question\b|\bin a (?:minute|moment|bit|sec)\b"
    ),
    settles=(
        r"^(?:\w+,? )?(?:yes|yeah|yep|yup|no|nope|nah|sure|ok|okay|either|both|neither|none|any|all|whatever|whichever|correct|right|exactly|absolutely|definitely|go ahead|go for it|do it|please do|sounds good|that one|this one|you (?:decide|choose|pick)|your (?:choice|call)|up to you|as you like|surprise me|the (?:first|second|third|fourth|fifth|last|former|latter|other)|option|number|the one)\b"
        r"|\b(?:doesn'?t|does not|don'?t) (?:really )?(?:matter|care|mind)\b|\bno preference\b|\bjust (?:pick|choose|use|take)\b"
    ),
    counts=r"\bhow (?:many|much|long|far|old|often|big|tall|large|fast|late|early|soon|high|deep|wide|heavy)\b|\bwhen\b|\b(?:what|which) (?:time|date|day|month|year|size|number|amount|percentage|budget|price|version|temperature)\b|\bwhat(?:'s| is| are) (?:the|your) (?:price|budget|number|date|size|deadline|cost|age|total|address|zip|time)\b",
    number=(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|half|hour|hours|minutes?|days?|weeks?|months?|years?|noon|midnight|today|tonight|tomorrow|yesterday|morning|evening|afternoon|"
        rf"once|twice|daily|weekly|never|always|{_DAY}|weekend|{_MONTH}|may|spring|summer|autumn|fall|winter|hundred|thousand|million|asap|now|soon)\b"
    ),
    yes_no=r"^(?:\W|\w+,? )?(?:can|could|would|will|should|shall|is|are|was|were|do|does|did|has|have|had|may|might|am|isn'?t|aren'?t|don'?t|doesn'?t)\b",
    affirms=r"(?:^|[.;,:!] ?|\band )(?:yes|yeah|yep|no|nope|sure|of course|certainly|absolutely|indeed|definitely|unfortunately|sadly|not (?:really|yet|at|quite)|you (?:can|can'?t|cannot|could|should|may|need)|there (?:is|are|isn'?t|aren'?t)|usually|probably|possibly|perhaps|maybe|i (?:can|can'?t|could|have|did|am)|it (?:is|does|isn'?t|doesn'?t|can|depends|should|will)|they (?:do|don'?t|are|aren'?t|can|have|will))\b",
    done=rf"\b{_DONE}\b",
    perfect=r"\b(?:i|we|he|she|they|it)(?:'ve| have| has|'s)\b|\b(?:have|has|was|were|got|been|already|just)\b",
    delivered=r"\bhere(?:'s| is| are| you go| it is| they are)\b|\battached\b|^(?:\w+ )?(?:reminder|update|news)\b|\bas (?:promised|you asked)\b|\byou asked (?:me )?to remind\b|\bregarding\b|\bas for\b|\babout your question\b",
    negation=r"\b(?:not|never|no longer|nobody|nothing|hardly|without|neither|nor|forgot|failed to|unable|almost|nearly)\b|\b\w+n't\b|\b(?:do|does|did|have|has|had|is|was|ca|wo|could)nt\b",
    future=(
        r"\b(?:will|'ll|going to|gonna|shall|want to|need to|needs to|have to|has to|had to|must|should|would|could|might|may|plan to|about to|hope to|supposed to|still to|to be|trying to|let's|can)\b"
        r"|^(?:if|when|once|after|before|until|unless|whenever|as soon as)\b|\b(?:if|once|until|unless|as soon as|whether) \w+"
    ),
    withdrawn=(
        r"\bnever ?mind\b|\bforget (?:it|that|this|about|the|what i)\b(?! to)|\bno longer (?:need|necessary|relevant|want|matters|interested|required)|\bdon'?t (?:bother|worry about)\b|\bdrop (?:it|that|this|the)\b|\bscratch (?:that|the)\b"
        r"|\b(?:cancel|scrap|ignore|skip|disregard) (?:it|that|this|the|my)\b(?! for now)|\b(?:not|isn'?t|aren'?t) (?:needed|necessary|relevant|important) any ?more\b|\b(?:don'?t|doesn'?t|do not|won'?t) (?:need|have|want) (?:to|it|that|the|a|an|one)\b.*\bany ?more\b|\bno need (?:to|for|any)\b|\b(?:changed my mind|took care of itself|resolved itself|fell through|called off|is off)\b"
    ),
    decided=(
        rf"\b(?:decided|went with|going with|settled on|opted|chose|picked|made up (?:my|our) mind|final decision|agreed on|decision is|it's settled|it(?:'s| is| will be|'ll be) (?:going to be|gonna be)|it(?:'ll| will) be|we're going for)\b|\b(?:{_I}(?:'ll| will)|let's|let us|{_I}(?:'d| would) (?:rather|like to)|want to|'m going to) (?:go (?:with|for|ahead)|take|pick|choose|use|stick with|do|have|opt)\b|^(?:\w+,? )?(?:go with|take|choose|pick) (?:the|that|option)\b"
    ),
    trouble=r"\b(?:doesn'?t|does not|won'?t|can'?t|cannot|isn'?t|not|never|stopped) (?:\w+ )?(?:work|working|compile|start|load|open|run|boot|connect|respond|fit|print|sync|build)\w*\b|\b(?:error|errors|broken|stuck|problem|trouble|issue with|fails|failing|failed|crash\w*|keeps? \w+ing)\b",
    habit=r"\b(?:usually|always|often|every|normally|whenever|before i|when i|sometimes|how (?:much|many))\b",
)
