/// The callbacks that notify a ``Gate`` of changes to its store by other writers of this process.
///
/// ``didWrite`` and ``didEnd`` receive the changed names in the form in which the store
/// contains them, or `nil` if the names are unknown and any value may have changed.
package struct CommitListener: Sendable {
  /// The writer whose own changes are not reported to this listener.
  package let writer: ObjectIdentifier

  /// The callback that runs after a change within a
  /// transaction, on the thread that made the change.
  ///
  /// Until the transaction ends, that thread may read values that no other thread reads.
  package let didWrite: @Sendable (_ names: [String]?) -> Void

  /// The callback that runs when the transaction of a
  /// change has ended, before another thread can write.
  ///
  /// The callback must neither wait nor use the backend.
  package let didEnd: @Sendable (_ names: [String]?, _ isCommitted: Bool) -> Void

  /// The callback that runs after the outermost write of a
  /// thread, when the thread holds no lock of the backend.
  ///
  /// The callback runs only if the thread has committed changes by writers other than ``writer``.
  package let deliver: @Sendable () -> Void
}
