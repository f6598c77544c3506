import Synchronization
public import UndercroftCore

extension Database {
  /// Adds an interceptor, asked after those added before it, until the registration is released or cancelled.
  public func intercept(_ interceptor: TableInterceptor) -> Registration {
    gate.intercept(interceptor)
  }

  /// Calls `handler` after every commit that touched `region`, by this process or another, until the registration is released or cancelled.
  ///
  /// Commits are told in their order, one at a time, on a thread that writes or one of the database's own, and outside of any
  /// transaction: the handler may read and write, and should be short. Nothing is told of what was rolled back.
  ///
  /// - Throws: ``StorageError/Code/misuse`` after ``close()``, and when the folder of the file cannot be watched for the writes of
  ///   other processes.
  public func observe(
    _ region: Region, detail: ChangeDetail = .columns,
    _ handler: @escaping @Sendable (CommittedChanges) -> Void
  ) throws(StorageError) -> Registration {
    try watchOutside()
    return gate.observe(.init(region: region, detail: detail, handler: handler))
  }

  func watchOutside() throws(StorageError) {
    if outside.withLock({ $0 != nil }) { return }
    let gate = gate
    // Not under the lock: whoever traces what it asks might come here again.
    let made = try OutsideWatch(of: self) { gate.publishOutside() }
    try outside.withLock { (watch) throws(StorageError) in
      if seats.isClosed { throw Seats.closed }
      if watch == nil { watch = made }
    }
  }

  /// The files may be others now: everybody is told, and watches what is there.
  func publishReopened() {
    // Told by the watch where there is one.
    if outside.withLock({ $0 == nil }) { gate.publishOutside() }
    folders.renew()
  }
}
