### Why a call is allowed, asked about or denied.

policy-asked-each-time = what it does is asked each time, whatever rules and grants say
policy-own-commands = The task's own commands.
policy-memory-look = Only memories that this folder may be given.
policy-memory-keep-here = It stays in this folder, marked as the assistant's.
policy-memory-keep-everywhere = Later tasks in every folder may be given this text.
policy-memory-forget = Later tasks are no longer given this text.
policy-no-walls = This machine has no walls for commands, so each of them is asked (see `deputy doctor`).
policy-says-nothing = It says nothing about what it would touch.
policy-gains-rights = `{ $name }` gains rights over the whole machine.
policy-writes-raw-disk = Writes to the raw disk { $disk }.
policy-deletes-everything = Deletes everything below { $target }.
