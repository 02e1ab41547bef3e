-- user_known: Whether somebody is there.
SELECT EXISTS (SELECT FROM palaver.users WHERE name = %s);
