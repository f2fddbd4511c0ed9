-- Where a push server takes notices for a device, as the UnifiedPush app on it was given.

ALTER TABLE devices ADD COLUMN endpoint TEXT;
