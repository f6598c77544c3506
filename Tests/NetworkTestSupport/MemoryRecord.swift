import Foundation

/// The memory of processes in the course of a soak.
package struct MemoryRecord {
  /// The number of samples, one per second, whose mean is compared.
  private static let window = 60
  /// The number of samples before which memory need not be flat.
  private static let minimum = 300

  /// The name of the memory.
  package let name: String
  /// The share of the earlier memory by which the later one may exceed it.
  private let growth: Double
  /// The number of bytes by which the later memory may exceed the earlier one in any case.
  private let tolerance: Int
  private var samples: [Int] = []

  package init(_ name: String, growth: Double, tolerance: Int) {
    self.name = name
    self.growth = growth
    self.tolerance = tolerance
  }

  package var last: Int { samples.last ?? 0 }
  package var count: Int { samples.count }

  /// Adds a sample in bytes.
  package mutating func add(_ sample: Int) { samples.append(sample) }

  /// Returns the resident bytes of processes.
  package static func residentBytes(of identifiers: [Int32]) -> Int {
    identifiers.reduce(0) { $0 + residentBytes(of: $1) }
  }

  /// Returns the resident bytes of a process, or 0 if it has ended.
  private static func residentBytes(of identifier: Int32) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(identifier)/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// The reason for a failure, or `nil` if memory is flat or the soak was short.
  ///
  /// The reason is that memory has grown, or that it was not measured.
  /// The memory has grown if that at the end exceeds that after the first third by more than
  /// `growth` and by more than `tolerance`.
  package var trouble: String? {
    guard samples.count >= Self.minimum else { return nil }
    let (earlier, later) = (mean(until: samples.count / 3), mean(until: samples.count))
    guard earlier > 0, later > 0 else { return "the \(name) was not measured" }
    guard Double(later) > Double(earlier) * (1 + growth), later > earlier + tolerance else {
      return nil
    }
    return "the \(name) grew from \(Self.text(earlier)) to \(Self.text(later))"
  }

  /// A line with the memory after the first third and at the end.
  package var summary: String {
    "\(name): \(Self.text(mean(until: samples.count / 3))) after the first third, "
      + "\(Self.text(mean(until: samples.count))) at the end"
      + (samples.count < Self.minimum ? ", not checked after less than five minutes" : "")
  }

  private func mean(until end: Int) -> Int {
    let part = samples[..<end].suffix(Self.window)
    return part.isEmpty ? 0 : part.reduce(0, +) / part.count
  }

  package static func text(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
}
