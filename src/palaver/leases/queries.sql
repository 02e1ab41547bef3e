-- take: Whether nobody else holds the lease; then this session does.
SELECT pg_try_advisory_lock(hashtextextended('palaver lease ' || %s, 0));

-- give: The lease is free again.
SELECT pg_advisory_unlock(hashtextextended('palaver lease ' || %s, 0));
