internal import Foundation

/// Runs each job on a thread of its own: code that may block for ever does not take a thread of the shared pool with it.
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
