#pragma once

/// Reports to the thread sanitizer when a thread acquires or releases a contended `Mutex`.
///
/// The compiler inlines the uncontended path of Swift's `Mutex` into the caller, where the
/// sanitizer observes it. A contended lock is acquired and released within the library of `Mutex`
/// and the kernel, which are not instrumented on Linux. Without a report of these calls, each
/// access to the state of a contended mutex looks like a data race. The functions of this target
/// replace those of the library in every program that links the target, call the originals, and
/// add the reports.
///
/// The target is empty in every build without the thread sanitizer.
