-- add_token: Remembers a new token.
INSERT INTO tokens (id, digest, name, user, scopes, created, expires)
VALUES (:id, :digest, :name, :user, :scopes, :created, :expires);

-- token_by_digest: The token whose secret has this digest, revoked or not.
SELECT id, name, user, scopes, created, expires, last_used, revoked
FROM tokens WHERE digest = :digest;

-- token_by_id: One token of a user.
SELECT id, name, user, scopes, created, expires, last_used, revoked
FROM tokens WHERE user = :user AND id = :id;

-- tokens_of_user: Every token of a user, newest first.
SELECT id, name, user, scopes, created, expires, last_used, revoked
FROM tokens WHERE user = :user ORDER BY created DESC, id DESC;

-- touch_token: Remembers that a token was used.
UPDATE tokens SET last_used = :now WHERE id = :id;

-- revoke_token: Ends a token; the first time it was revoked stays.
UPDATE tokens SET revoked = coalesce(revoked, :now) WHERE user = :user AND id = :id;

-- add_sign_in: Remembers a browser.
INSERT INTO sign_ins (digest, user, created, expires)
VALUES (:digest, :user, :created, :expires);

-- sign_in_by_digest: Whose browser it is and until when, while the sign-in lasts.
SELECT user, expires FROM sign_ins WHERE digest = :digest AND expires > :now;

-- end_sign_in: Signs a browser out.
DELETE FROM sign_ins WHERE digest = :digest;

-- end_old_sign_ins: Forgets browsers whose time is over.
DELETE FROM sign_ins WHERE expires <= :now;

-- add_link: Remembers a sign-in link.
INSERT INTO links (digest, user, expires) VALUES (:code, :user, :expires);

-- link_by_digest: A link that was not used.
SELECT user FROM links WHERE digest = :code;

-- sign_in_by_link: Remembers the browser of whoever has a link that still works.
INSERT INTO sign_ins (digest, user, created, expires)
SELECT :digest, user, :created, :expires FROM links WHERE digest = :code AND expires > :created;

-- end_link: A link works no more.
DELETE FROM links WHERE digest = :code;

-- end_old_links: Forgets links whose time is over.
DELETE FROM links WHERE expires <= :now;

-- valid_credentials: Which of some tokens and browsers still open something.
SELECT id FROM tokens
WHERE id IN (SELECT value FROM json_each(:tokens))
    AND revoked IS NULL AND (expires IS NULL OR expires > :now)
UNION ALL
SELECT lower(hex(digest)) FROM sign_ins
WHERE digest IN (SELECT unhex(value) FROM json_each(:browsers)) AND expires > :now;

-- ended: Another number once credentials may have ended: the connection that reads never writes, so
-- it moves with every commit, of this process or of another one.
PRAGMA data_version;

-- begin_writing: Nobody else writes from here on.
BEGIN IMMEDIATE;

-- commit: Makes it lasting.
COMMIT;

-- rollback: Leaves everything as it was.
ROLLBACK;

-- version: The schema the file was made with; 0 when it is new.
PRAGMA user_version;
