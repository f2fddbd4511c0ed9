package dev.deputy.phone.shell;

import android.app.job.JobInfo;
import android.app.job.JobParameters;
import android.app.job.JobScheduler;
import android.app.job.JobService;
import android.content.ComponentName;
import android.content.Context;
import android.util.Log;
import dev.deputy.phone.Kept;
import dev.deputy.phone.Relay;
import java.io.IOException;
import java.security.GeneralSecurityException;

/** Polls the relay for notices while the service sleeps. */
public final class RelayJob extends JobService {
    private static final int ID = 1;
    /** The shortest interval that Android allows for a periodic job. */
    private static final long EVERY_MS = 15 * 60 * 1000;
    /** How long requests wait for an answer, in hours. */
    private static final int HOURS = 24;

    /** Starts or stops polling according to the settings. */
    static void adjust(Context context, Kept kept) {
        JobScheduler scheduler = (JobScheduler) context.getSystemService(Context.JOB_SCHEDULER_SERVICE);
        if (kept == null || kept.relay().isEmpty()) {
            scheduler.cancel(ID);
            return;
        }
        scheduler.schedule(new JobInfo.Builder(ID, new ComponentName(context, RelayJob.class))
                .setRequiredNetworkType(JobInfo.NETWORK_TYPE_ANY)
                .setPeriodic(EVERY_MS)
                .setPersisted(true)
                .build());
    }

    @Override
    public boolean onStartJob(final JobParameters job) {
        if (WatchService.isHearing()) return false;
        new Thread("relay") {
            @Override
            public void run() {
                ask();
                jobFinished(job, false);
            }
        }.start();
        return true;
    }

    private void ask() {
        AndroidPhone phone = AndroidPhone.of(this);
        Kept kept = phone.kept();
        if (kept == null) return;
        try {
            new Notices(this).show(Relay.ask(kept.relay(), kept.device(), phone.keys().sealing, HOURS), phone.place());
        } catch (IOException | GeneralSecurityException error) {
            Log.i("Deputy", "The relay could not be asked", error);
        }
    }

    @Override
    public boolean onStopJob(JobParameters job) {
        return false;
    }
}
