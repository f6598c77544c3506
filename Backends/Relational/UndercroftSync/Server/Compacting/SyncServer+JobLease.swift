import UndercroftCore

extension SyncServer {
  /// Acquires or extends the lease on a job, and returns whether this process may run the job now.
  ///
  /// All processes of a server use one store, so only one of them has the lease. The lease is
  /// stored as a replica, whose account is the owner and whose last contact is the end of the
  /// lease.
  ///
  /// - Parameters:
  ///   - job: the name of the job.
  ///   - owner: the identifier of this process.
  ///   - milliseconds: the time after which another process may acquire the lease.
  package func acquireLease(
    on job: String, owner: String, milliseconds: Int64
  ) throws -> Bool {
    let now = environment.now()
    let identifier = ReplicaIdentifier(job)
    return try store.write(in: .server) { transaction in
      var lease =
        try transaction.replica(identifier) ?? StoredReplica(replica: identifier, account: owner)
      // A lease that ends much later than a new one was acquired before the clock was set back. The
      // clocks of two processes can differ by less.
      let remaining = lease.lastSeen.subtractingReportingOverflow(now)
      let isHeld =
        !remaining.overflow && remaining.partialValue > 0
        && remaining.partialValue / 2 <= milliseconds
      guard lease.account.exact == owner.exact || !isHeld else { return false }
      lease.account = owner
      lease.lastSeen = now + milliseconds
      try transaction.put(lease)
      return true
    }
  }
}
