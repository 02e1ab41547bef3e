-- add_token: Remembers a new token, unless its user was removed.
INSERT INTO tokens (id, digest, name, user, scopes, created, expires)
SELECT :id, :digest, :name, :user, :scopes, :created, :expires
WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = :user AND removed IS NOT NULL);

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

-- add_sign_in: Remembers a browser, unless its user was removed.
INSERT INTO sign_ins (digest, user, created, expires)
SELECT :digest, :user, :created, :expires
WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = :user AND removed IS NOT NULL);

-- sign_in_by_digest: Whose browser it is and until when, while the sign-in lasts.
SELECT user, expires FROM sign_ins WHERE digest = :digest AND expires > :now;

-- end_sign_in: Signs a browser out.
DELETE FROM sign_ins WHERE digest = :digest;

-- end_old_sign_ins: Forgets browsers whose time is over.
DELETE FROM sign_ins WHERE expires <= :now;

-- add_link: Remembers a sign-in link, unless its user was removed.
INSERT INTO links (digest, user, expires)
SELECT :code, :user, :expires
WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = :user AND removed IS NOT NULL);

-- link_by_digest: A link that was not used.
SELECT user FROM links WHERE digest = :code;

-- sign_in_by_link: Remembers the browser of whoever has a link that still works.
INSERT INTO sign_ins (digest, user, created, expires)
SELECT :digest, user, :created, :expires FROM links WHERE digest = :code AND expires > :created;

-- end_link: A link works no more.
DELETE FROM links WHERE digest = :code;

-- end_old_links: Forgets links whose time is over.
DELETE FROM links WHERE expires <= :now;

-- add_account: Remembers a new user, unless somebody has that name.
INSERT INTO users (id, name, folded, password, created)
VALUES (:user, :name, :folded, :password, :created)
ON CONFLICT (folded) DO NOTHING;

-- users: Everybody with an account, those who came first at first.
SELECT id, name, created, password FROM users WHERE removed IS NULL ORDER BY created, id;

-- user_by_id: Somebody with an account, by their id.
SELECT id, name, created, password FROM users WHERE removed IS NULL AND id = :user;

-- user_by_name: Somebody with an account, by their name.
SELECT id, name, created, password FROM users WHERE folded = :folded;

-- password_by_name: What is kept of somebody's password.
SELECT id, password FROM users WHERE folded = :folded;

-- passwords: Whether anybody has one.
SELECT 1 FROM users WHERE password IS NOT NULL LIMIT 1;

-- put_password: Gives somebody another password; whoever had no name is called by their id.
INSERT INTO users (id, name, folded, password, created)
VALUES (:user, :user, lower(:user), :password, :created)
ON CONFLICT (id) DO UPDATE SET password = excluded.password;

-- rehash: Keeps the same password in another way, unless it was changed meanwhile.
UPDATE users SET password = :new WHERE id = :user AND password = :old;

-- sign_in_by_password: Remembers the browser of whoever still has this password.
INSERT INTO sign_ins (digest, user, created, expires)
SELECT :digest, id, :created, :expires FROM users WHERE id = :user AND password = :password;

-- remove_account: Nobody signs in by that name any more; the id is never given credentials again.
UPDATE users SET name = '', folded = NULL, password = NULL, removed = :now WHERE id = :user;

-- end_links_of: No link of somebody works any more.
DELETE FROM links WHERE user = :user;

-- end_sign_ins_of: Signs every browser of somebody out.
DELETE FROM sign_ins WHERE user = :user;

-- end_tokens_of: No token of somebody opens anything any more.
DELETE FROM tokens WHERE user = :user;

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
