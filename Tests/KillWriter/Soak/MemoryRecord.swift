#if SyncHTTP && SyncServer
  import Foundation

  /// The resident memory of processes in the course of a soak.
  struct MemoryRecord {
    /// The number of samples, one per second, whose mean is compared.
    private static let window = 60
    /// The number of samples before which memory need not be flat.
    private static let minimum = 300
    /// The share of the earlier memory by which the later one may exceed it.
    static let growth = 0.2
    /// The number of bytes by which the later memory may exceed the earlier one in any case.
    static let tolerance = 16 << 20

    /// The name of the processes.
    let name: String
    private var samples: [Int] = []

    init(_ name: String) { self.name = name }

    var last: Int { samples.last ?? 0 }
    var count: Int { samples.count }

    /// Adds the memory of the processes with these identifiers.
    mutating func add(_ identifiers: [Int32]) {
      samples.append(identifiers.reduce(0) { $0 + Self.resident($1) })
    }

    /// Returns the resident bytes of a process, or 0 if it has ended.
    private static func resident(_ identifier: Int32) -> Int {
      guard let text = try? String(contentsOfFile: "/proc/\(identifier)/statm", encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
      else { return 0 }
      return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Returns a description of the growth, or `nil` if memory is flat or the soak was short.
    ///
    /// The memory has grown if that at the end exceeds that after the first third by more than a
    /// fifth and by more than 16 MiB.
    func excess() -> String? {
      guard samples.count >= Self.minimum else { return nil }
      let (earlier, later) = (mean(until: samples.count / 3), mean(until: samples.count))
      guard Double(later) > Double(earlier) * (1 + Self.growth),
        later > earlier + Self.tolerance
      else { return nil }
      return "the memory of the \(name) grew from \(Self.text(earlier)) to \(Self.text(later))"
    }

    /// A line with the memory after the first third and at the end.
    var summary: String {
      "\(name): \(Self.text(mean(until: samples.count / 3))) after the first third, "
        + "\(Self.text(mean(until: samples.count))) at the end"
        + (samples.count < Self.minimum ? ", not checked after less than five minutes" : "")
    }

    private func mean(until end: Int) -> Int {
      let part = samples[..<end].suffix(Self.window)
      return part.isEmpty ? 0 : part.reduce(0, +) / part.count
    }

    static func text(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
  }
#endif
