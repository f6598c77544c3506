/// The callbacks that report changes of a store to a gate through which they were not made.
///
/// The names are those in the store. `nil` means that the
/// names are unknown, so that any value may have changed.
package struct CommitListener: Sendable {
  /// The writer whose own changes are not reported to this listener.
  package let writer: ObjectIdentifier

  /// Called after a change within a transaction, on the thread that made the change.
  ///
  /// Until the transaction ends, that thread reads another value than all other threads.
  package let didWrite: @Sendable (_ names: [String]?) -> Void

  /// Called when the transaction of a change has ended, before another thread can write.
  ///
  /// The callback must neither wait nor use the backend.
  package let didEnd: @Sendable (_ names: [String]?, _ isCommitted: Bool) -> Void

  /// Called after the outermost write of a thread that has committed
  /// changes of other writers, without the backend's locks.
  package let deliver: @Sendable () -> Void
}
