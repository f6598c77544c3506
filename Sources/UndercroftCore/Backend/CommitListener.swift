/// The callbacks that report to a gate the changes of its
/// store that were made by other writers of this process.
///
/// The names are those in the store. `nil` means that the
/// names are unknown, so that any value may have changed.
package struct CommitListener: Sendable {
  /// The writer whose own changes are not reported to this listener.
  package let writer: ObjectIdentifier

  /// The callback after a change within a transaction, on the thread that made the change.
  ///
  /// Until the transaction ends, that thread reads another value than all other threads.
  package let didWrite: @Sendable (_ names: [String]?) -> Void

  /// The callback when the transaction of a change has ended, before another thread can write.
  ///
  /// The callback must neither wait nor use the backend.
  package let didEnd: @Sendable (_ names: [String]?, _ isCommitted: Bool) -> Void

  /// The callback, without the backend's locks, after the outermost write of
  /// a thread that has committed changes by writers other than ``writer``.
  package let deliver: @Sendable () -> Void
}
