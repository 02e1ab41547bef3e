-- user_number: The number a user's rows carry, if there is such a user.
SELECT no FROM palaver.users WHERE name = %s;

-- server_version: What the server calls itself.
SELECT current_setting('server_version');

-- vector_extension: Whether pgvector can be used here, and whether it is.
SELECT installed_version IS NOT NULL FROM pg_available_extensions WHERE name = 'vector';

-- passes_walls: Whether the role sees the rows of everybody, whatever a transaction says.
SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user;

-- users: How many there are.
SELECT count(*) FROM palaver.users;

-- remove_user: Takes away everything of a user, in every version of the index too.
DO $$
DECLARE
    place record;
    books bigint[];
    path text := current_setting('search_path');
BEGIN
    PERFORM FROM palaver.users WHERE no = palaver.me() FOR UPDATE;
    FOR place IN
        SELECT c.relnamespace::regnamespace AS schema, c.oid::regclass AS name
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace::regnamespace::text LIKE 'palaver\_%'
            AND c.relkind = 'r' AND a.attname = 'book'
    LOOP
        EXECUTE format(
            'SELECT array(SELECT unnest(ARRAY[live, new]) FROM %1$s.books WHERE owner = palaver.me()'
            ' UNION SELECT book FROM %1$s.discarded WHERE owner = palaver.me())',
            place.schema
        ) INTO books;
        PERFORM set_config('palaver.books', books::text, true);
        IF place.name::text NOT LIKE '%.discarded' THEN
            EXECUTE format('DELETE FROM %s WHERE book = ANY ($1)', place.name) USING books;
        END IF;
    END LOOP;
    FOR place IN
        SELECT c.oid::regclass AS name
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace::regnamespace::text SIMILAR TO 'palaver|palaver\_%'
            AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = 'owner'
    LOOP
        EXECUTE format('DELETE FROM %s WHERE owner = palaver.me()', place.name);
    END LOOP;
    FOR place IN
        SELECT c.relnamespace::regnamespace AS schema, c.oid::regclass AS name FROM pg_class AS c
        WHERE c.relnamespace::regnamespace::text LIKE 'palaver\_jobs\_%'
            AND c.relname = 'procrastinate_jobs'
    LOOP
        PERFORM set_config('search_path', place.schema::text, true);  -- its triggers name no schema
        EXECUTE format(
            'DELETE FROM %s WHERE split_part(lock, '':'', 2) ='
            ' (SELECT name FROM palaver.users WHERE no = palaver.me())',
            place.name
        );
    END LOOP;
    PERFORM set_config('search_path', path, true);
    DELETE FROM palaver.users WHERE no = palaver.me();
END $$;
