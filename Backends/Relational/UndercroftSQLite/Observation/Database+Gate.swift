import Synchronization
public import UndercroftCore

extension Database {
  /// Adds an interceptor, which is called until the registration is released or cancelled.
  ///
  /// Interceptors are called in the order in which they were added.
  ///
  /// An interceptor receives only the writes of this database object. An interceptor needs no
  /// resource of the system, so this function does not throw, unlike ``observe(_:detail:_:)``.
  public func intercept(_ interceptor: TableInterceptor) -> Registration {
    gate.intercept(interceptor)
  }

  /// Calls `handler` after every commit that may have changed `region`, until the registration is
  /// released or cancelled.
  ///
  /// The handler receives only the changes of `region`, and the rows only with
  /// ``ChangeDetail/rows``. After a commit of another process or another ``Database``, every
  /// handler is called, with the origin ``Origin/external`` and unknown tables.
  ///
  /// Commits of this process and of other processes are reported one at a time, in their order. The
  /// handler runs outside of any transaction, on a thread that writes or on a background thread of
  /// the database. The handler can read and write, and should be short. Changes that were rolled
  /// back are not reported.
  ///
  /// - Throws: ``StorageError/Code/misuse`` after ``close()``; an error of the system if the folder
  ///   of the file cannot be watched for the writes of other processes.
  public func observe(
    _ region: Region, detail: ChangeDetail = .columns,
    _ handler: @escaping @Sendable (CommittedChanges) -> Void
  ) throws(StorageError) -> Registration {
    try watchExternalChanges()
    return gate.observe(.init(region: region, detail: detail, handler: handler))
  }

  func watchExternalChanges() throws(StorageError) {
    if externalChangeMonitor.withLock({ $0 != nil }) { return }
    let gate = gate
    // Not under the mutex: the queries of the watch are traced, and the caller's tracer may call
    // this function again.
    let monitor = try ExternalChangeMonitor(of: self) { gate.publishExternalChange() }
    try externalChangeMonitor.withLock { (current) throws(StorageError) in
      if pool.isClosed { throw ConnectionPool.closed(pool.path) }
      if current == nil { current = monitor }
    }
  }

  /// Notifies the observers that the files may have been replaced, and watches the folders that
  /// exist now.
  func publishReopened() {
    // If there is an `ExternalChangeMonitor`, it notifies the observers when the folders are
    // watched again.
    if externalChangeMonitor.withLock({ $0 == nil }) { gate.publishExternalChange() }
    folders.renew()
  }
}
