-- Adds up the chunks of open sessions: a second for a million chunks, while chunks of these sessions wait.

UPDATE sync.upload_session s SET received_bytes = c.size_bytes
  FROM (SELECT o.owner_id, o.id, sum(c.size_bytes) AS size_bytes FROM sync.upload_session o
          JOIN sync.chunk c ON c.owner_id = o.owner_id AND c.blob_id = o.blob_id
         WHERE o.state = 'receiving' GROUP BY 1, 2) c
 WHERE s.owner_id = c.owner_id AND s.id = c.id;
