import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// The lease of one scope of a database file.
struct SimulatedLease {
  let owner: String
  /// The time of the device's clock at which the lease ends, in milliseconds since 1970.
  let end: Int64
}

extension SimulatedDevice {
  /// The duration of a lease.
  ///
  /// The clock advances by up to 5 seconds in each step, so some leases end before they are
  /// released.
  private static let leaseMilliseconds: Int64 = 2_000

  /// Lets a process of the device acquire or renew the lease of a scope, and returns whether the
  /// process has the lease.
  ///
  /// - Throws: ``SimulationViolation`` if the process gets a lease that another process has, or
  ///   does not get a free lease.
  func acquireLease(of scope: ScopeIdentifier, for process: Int) throws -> Bool {
    let (owner, now) = (owner(process), context.now + skew)
    let before = file.leases[scope]
    let isFree = before.map { $0.owner == owner || $0.end <= now } ?? true
    let answer = try run {
      try replica(of: scope).acquireLease(
        owner: owner, milliseconds: Self.leaseMilliseconds)
    }
    let after = try storedLease(of: scope)
    file.leases[scope] = after
    guard let hasLease = answer else { return false }
    let isStored = after.map { $0.owner == owner && $0.end > now } ?? false
    guard hasLease == isFree, hasLease == isStored else {
      throw SimulationViolation(
        .lease,
        """
        acquireLease returned \(hasLease) to \(owner) for the scope \(quoted(scope.text)) when the \
        clock of the device showed \(now) ms since 1970: the lease before the call was \
        \(Self.describe(before)), and the lease after the call is \(Self.describe(after))
        """)
    }
    return hasLease
  }

  /// Lets a process of the device release its lease of a scope.
  func releaseLease(of scope: ScopeIdentifier, by process: Int) throws {
    _ = try run { try replica(of: scope).releaseLease(owner: owner(process)) }
    file.leases[scope] = try storedLease(of: scope)
  }

  private func owner(_ process: Int) -> String { "process \(process) of device \(number)" }

  private func storedLease(of scope: ScopeIdentifier) throws -> SimulatedLease? {
    try database.read { db in
      try db.fetchOne(
        """
        SELECT lease_owner, lease_until_ms FROM sync_scope
        WHERE name = \(scope.text) AND lease_owner IS NOT NULL
        """
      ) { row in SimulatedLease(owner: try row[0], end: try row[1]) }
    }
  }

  private static func describe(_ lease: SimulatedLease?) -> String {
    lease.map { "that of \($0.owner) until \($0.end) ms" } ?? "free"
  }
}
