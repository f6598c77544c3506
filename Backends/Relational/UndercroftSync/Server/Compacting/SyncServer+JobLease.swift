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
      guard lease.account.exact == owner.exact || lease.lastSeen <= now else { return false }
      lease.account = owner
      lease.lastSeen = now + milliseconds
      try transaction.put(lease)
      return true
    }
  }
}
