-- owners: Whose rows are written.
SELECT set_config('palaver.owners', %s, true);

-- everybody: From here on it is looked at the rows of everybody.
SELECT set_config('palaver.owner', '*', true);

-- hold: Replies that are being made, and that their maker is there.
INSERT INTO palaver.replies (id, owner, node, conversation, question, seq)
SELECT id, owner, node, conversation, question, seq
FROM json_to_recordset(%s::json) AS n (
    id text, owner bigint, node text, conversation text, question text, seq bigint
)
WHERE owner = ANY (palaver.us())
ON CONFLICT (id) DO UPDATE SET touched = now();

-- begin_anew: What there was of these replies is gone.
DELETE FROM palaver.reply_parts
WHERE owner = ANY (palaver.us()) AND reply = ANY (%s::text[]);

-- add_parts: More of some replies; nobody may know whether it was added already.
INSERT INTO palaver.reply_parts (reply, number, owner, part)
SELECT reply, number, owner, part
FROM json_to_recordset(%s::json) AS n (reply text, number bigint, owner bigint, part text)
WHERE owner = ANY (palaver.us())
ON CONFLICT (reply, number) DO NOTHING;

-- end: These replies are not made any more.
DELETE FROM palaver.replies WHERE owner = ANY (palaver.us()) AND id = ANY (%s::text[]);

-- shown: The replies that other nodes make, with the parts behind those that were read.
SELECT r.id, r.conversation, r.question, r.seq, p.number, p.part
FROM palaver.replies AS r
LEFT JOIN unnest(%(ids)s::text[], %(numbers)s::bigint[]) AS seen (id, number) ON seen.id = r.id
LEFT JOIN palaver.reply_parts AS p
    ON p.owner = palaver.me() AND p.reply = r.id AND p.number > coalesce(seen.number, 0)
WHERE r.owner = palaver.me() AND r.node <> %(node)s
    AND r.touched > now() - make_interval(secs => %(patience)s)
ORDER BY r.begun, r.id, p.number;

-- abandoned_by: Those among everybody for whom replies are there that nobody makes any more.
SELECT DISTINCT owner FROM palaver.replies
WHERE touched < now() - make_interval(secs => %s);

-- sweep: Takes away replies that nobody makes any more.
DELETE FROM palaver.replies
WHERE owner = ANY (palaver.us()) AND touched < now() - make_interval(secs => %s);
