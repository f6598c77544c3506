#if SyncHTTP && SyncServer
  import Foundation

  /// What devices of a soak have done.
  struct SoakCounts: Codable {
    /// The number of committed transactions.
    var operations = 0
    /// The number of synchronisations that succeeded.
    var synchronisations = 0
    /// The number of synchronisations that failed because no server answered.
    var failures = 0
    /// The number of conflicts that a device has answered.
    var conflicts = 0
    /// The bytes that the processes of the devices have allocated and not freed, or 0 if the
    /// platform does not count them.
    var allocatedBytes = 0
    /// The errors that must not occur.
    var errors: [String] = []

    static func + (lhs: SoakCounts, rhs: SoakCounts) -> SoakCounts {
      var sum = lhs
      sum.operations += rhs.operations
      sum.synchronisations += rhs.synchronisations
      sum.failures += rhs.failures
      sum.conflicts += rhs.conflicts
      sum.allocatedBytes += rhs.allocatedBytes
      sum.errors += rhs.errors
      return sum
    }

    /// Reads the counts of a process, which are zero before it has written any.
    init(at file: URL) {
      guard let data = try? Data(contentsOf: file),
        let counts = try? JSONDecoder().decode(SoakCounts.self, from: data)
      else {
        self.init()
        return
      }
      self = counts
    }

    init() {}

    func write(to file: URL) throws {
      try JSONEncoder().encode(self).write(to: file, options: .atomic)
    }
  }
#endif
