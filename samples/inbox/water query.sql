-- How much each plot used last year.
SELECT plot, MAX(reading) - MIN(reading) AS used
FROM water
WHERE taken BETWEEN '2025-01-01' AND '2025-12-31'
GROUP BY plot
ORDER BY used DESC;
