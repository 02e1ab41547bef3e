-- user_known: Whether somebody is there.
SELECT EXISTS (SELECT FROM palaver.users WHERE name = %s);

-- server_version: What the server calls itself.
SELECT current_setting('server_version');

-- vector_extension: Whether pgvector can be used here, and whether it is.
SELECT installed_version IS NOT NULL FROM pg_available_extensions WHERE name = 'vector';

-- users: How many there are.
SELECT count(*) FROM palaver.users;
