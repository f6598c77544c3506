/// The callbacks that report changes of a store to one gate when another gate, or no gate, has made
/// them.
///
/// Names are those of the store. `nil` stands for unknown names: any value may have changed.
package struct CommitListener: Sendable {
  /// The writer whose own changes are not reported to this listener.
  package let writer: ObjectIdentifier

  /// Called after a change within a transaction, on the thread that has made the change.
  ///
  /// Until the transaction has ended, that thread reads another value than all other threads.
  package let didWrite: @Sendable (_ names: [String]?) -> Void

  /// Called when the transaction of a change has ended, before another thread can write.
  ///
  /// The callback must neither wait nor use the backend.
  package let didEnd: @Sendable (_ names: [String]?, _ isCommitted: Bool) -> Void

  /// Called after the outermost write of a thread that has committed changes of other writers, outside
  /// of the backend's locks.
  package let deliver: @Sendable () -> Void
}
