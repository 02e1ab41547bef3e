-- add_user: Makes a user who is not there yet.
INSERT INTO palaver.users (name) VALUES (%(user)s) ON CONFLICT (name) DO NOTHING;

-- add_token: Remembers a new token, unless its user was removed: whoever removes one waits.
INSERT INTO palaver.tokens (id, digest, name, owner, scopes, created, expires)
SELECT %(id)s, %(digest)s, %(name)s, u.no, %(scopes)s, %(created)s, %(expires)s
FROM palaver.users AS u WHERE u.name = %(user)s AND u.removed IS NULL FOR SHARE;

-- token_by_digest: The token whose secret has this digest, revoked or not.
SELECT t.id, t.name, u.name, t.scopes, t.created, t.expires, t.last_used, t.revoked
FROM palaver.tokens AS t JOIN palaver.users AS u ON u.no = t.owner
WHERE t.digest = %(digest)s;

-- token_by_id: One token of a user.
SELECT t.id, t.name, u.name, t.scopes, t.created, t.expires, t.last_used, t.revoked
FROM palaver.tokens AS t JOIN palaver.users AS u ON u.no = t.owner
WHERE u.name = %(user)s AND t.id = %(id)s;

-- tokens_of_user: Every token of a user, newest first.
SELECT t.id, t.name, u.name, t.scopes, t.created, t.expires, t.last_used, t.revoked
FROM palaver.tokens AS t JOIN palaver.users AS u ON u.no = t.owner
WHERE u.name = %(user)s
ORDER BY t.created DESC, t.id DESC;

-- touch_token: Remembers that a token was used, unless somebody else is writing to it.
UPDATE palaver.tokens SET last_used = %(now)s
WHERE id = (SELECT id FROM palaver.tokens WHERE id = %(id)s FOR NO KEY UPDATE SKIP LOCKED);

-- revoke_token: Ends a token; the first time it was revoked stays.
UPDATE palaver.tokens AS t SET revoked = coalesce(t.revoked, %(now)s)
FROM palaver.users AS u
WHERE u.no = t.owner AND u.name = %(user)s AND t.id = %(id)s;

-- add_sign_in: Remembers a browser, unless its user was removed.
INSERT INTO palaver.sign_ins (digest, owner, created, expires)
SELECT %(digest)s, u.no, %(created)s, %(expires)s
FROM palaver.users AS u WHERE u.name = %(user)s AND u.removed IS NULL FOR SHARE;

-- sign_in_by_digest: Whose browser it is and until when, while the sign-in lasts.
SELECT u.name, s.expires
FROM palaver.sign_ins AS s JOIN palaver.users AS u ON u.no = s.owner
WHERE s.digest = %(digest)s AND s.expires > %(now)s;

-- end_sign_in: Signs a browser out.
DELETE FROM palaver.sign_ins WHERE digest = %(digest)s;

-- end_old_sign_ins: Forgets browsers whose time is over.
DELETE FROM palaver.sign_ins WHERE expires <= %(now)s;

-- add_link: Remembers a sign-in link, unless its user was removed.
INSERT INTO palaver.links (digest, owner, expires)
SELECT %(code)s, u.no, %(expires)s
FROM palaver.users AS u WHERE u.name = %(user)s AND u.removed IS NULL FOR SHARE;

-- link_by_digest: A link that was not used.
SELECT u.name FROM palaver.links AS l JOIN palaver.users AS u ON u.no = l.owner
WHERE l.digest = %(code)s;

-- sign_in_by_link: Remembers the browser of whoever has a link that still works. Of several who use
-- it at once, the others wait, and find it gone.
INSERT INTO palaver.sign_ins (digest, owner, created, expires)
SELECT %(digest)s, owner, %(created)s, %(expires)s
FROM palaver.links WHERE digest = %(code)s AND expires > %(created)s FOR UPDATE;

-- end_link: A link works no more.
DELETE FROM palaver.links WHERE digest = %(code)s;

-- end_old_links: Forgets links whose time is over.
DELETE FROM palaver.links WHERE expires <= %(now)s;

-- add_account: Remembers a new user, unless somebody has that name.
INSERT INTO palaver.people (owner, name, folded, password, created)
SELECT u.no, %(name)s, %(folded)s, %(password)s, %(created)s
FROM palaver.users AS u WHERE u.name = %(user)s
ON CONFLICT (folded) DO NOTHING;

-- users: Everybody with an account, those who came first at first.
SELECT u.name, p.name, p.created, p.password
FROM palaver.people AS p JOIN palaver.users AS u ON u.no = p.owner
ORDER BY p.created, u.name;

-- user_by_id: Somebody in the database, by their id; whoever has no account is called by it.
SELECT u.name, coalesce(p.name, u.name), p.created, p.password
FROM palaver.users AS u LEFT JOIN palaver.people AS p ON p.owner = u.no
WHERE u.removed IS NULL AND u.name = %(user)s;

-- user_by_name: Somebody with an account, by their name.
SELECT u.name, p.name, p.created, p.password
FROM palaver.people AS p JOIN palaver.users AS u ON u.no = p.owner
WHERE p.folded = %(folded)s;

-- password_by_name: What is kept of somebody's password.
SELECT u.name, p.password
FROM palaver.people AS p JOIN palaver.users AS u ON u.no = p.owner
WHERE p.folded = %(folded)s;

-- passwords: Whether anybody has one.
SELECT 1 FROM palaver.people WHERE password IS NOT NULL LIMIT 1;

-- put_password: Gives somebody another password; whoever had no name is called by their id.
INSERT INTO palaver.people (owner, name, folded, password, created)
SELECT u.no, u.name, lower(u.name), %(password)s, %(created)s
FROM palaver.users AS u WHERE u.name = %(user)s AND u.removed IS NULL
ON CONFLICT (owner) DO UPDATE SET password = excluded.password;

-- rehash: Keeps the same password in another way, unless it was changed meanwhile.
UPDATE palaver.people AS p SET password = %(new)s
FROM palaver.users AS u
WHERE u.no = p.owner AND u.name = %(user)s AND p.password = %(old)s;

-- sign_in_by_password: Remembers the browser of whoever still has this password: whoever changes it
-- waits, and then signs this one out, too.
INSERT INTO palaver.sign_ins (digest, owner, created, expires)
SELECT %(digest)s, p.owner, %(created)s, %(expires)s
FROM palaver.people AS p JOIN palaver.users AS u ON u.no = p.owner
WHERE u.name = %(user)s AND p.password = %(password)s FOR SHARE OF p;

-- remove_account: Nobody signs in by that name any more; the id is never given credentials again.
WITH gone AS (UPDATE palaver.users SET removed = %(now)s WHERE name = %(user)s RETURNING no)
DELETE FROM palaver.people WHERE owner IN (SELECT no FROM gone);

-- end_links_of: No link of somebody works any more.
DELETE FROM palaver.links WHERE owner = (SELECT no FROM palaver.users WHERE name = %(user)s);

-- end_sign_ins_of: Signs every browser of somebody out.
DELETE FROM palaver.sign_ins WHERE owner = (SELECT no FROM palaver.users WHERE name = %(user)s);

-- end_tokens_of: No token of somebody opens anything any more.
DELETE FROM palaver.tokens WHERE owner = (SELECT no FROM palaver.users WHERE name = %(user)s);

-- valid_credentials: Which of some tokens and browsers still open something.
SELECT t.id FROM palaver.tokens AS t
WHERE t.id IN (SELECT json_array_elements_text(%(tokens)s::json))
    AND t.revoked IS NULL AND (t.expires IS NULL OR t.expires > %(now)s)
UNION ALL
SELECT encode(s.digest, 'hex') FROM palaver.sign_ins AS s
WHERE s.digest IN (
    SELECT decode(value, 'hex') FROM json_array_elements_text(%(browsers)s::json) AS value
) AND s.expires > %(now)s;

-- ended: How often credentials have ended.
SELECT ended FROM palaver.credentials;
