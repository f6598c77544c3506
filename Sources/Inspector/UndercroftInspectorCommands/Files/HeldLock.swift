import UndercroftFileSystem

/// A lock that a process holds on a file.
struct HeldLock: Hashable {
  /// The kind of the lock: `POSIX`, `FLOCK`, `OFDLCK` or `LEASE`.
  let kind: String
  let isExclusive: Bool
  /// The process that holds the lock, or `nil` if the system does not report it.
  let process: Int?
  let file: FileIdentity

  /// Returns the locks in the text of `/proc/locks`.
  ///
  /// A line consists of the number, the kind, `ADVISORY` or `MANDATORY`, `READ` or `WRITE`, the
  /// process, the file as `major:minor:inode` with hexadecimal devices, and the range. The line of
  /// a process that waits for a lock has `->` after its number, and is not part of the result.
  static func parse(_ text: String) -> [HeldLock] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count >= 6, fields[1] != "->" else { return nil }
      let parts = fields[5].split(separator: ":")
      guard parts.count == 3, let major = UInt64(parts[0], radix: 16),
        let minor = UInt64(parts[1], radix: 16), let inode = UInt64(parts[2])
      else { return nil }
      let process = Int(fields[4]).flatMap { $0 > 0 ? $0 : nil }
      return HeldLock(
        kind: String(fields[1]), isExclusive: fields[3] == "WRITE", process: process,
        file: FileIdentity(device: device(major, minor), inode: inode))
    }
  }

  /// Returns the number of a device, as `stat` returns it on Linux. (`gnu_dev_makedev`)
  private static func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
    (major & 0xffff_f000) << 32 | (major & 0xfff) << 8 | (minor & 0xffff_ff00) << 12 | minor & 0xff
  }

  /// The name of the program of ``process``, or `nil` if it is unknown.
  var program: String? { process.flatMap { FileOpener.program(of: $0) } }

  /// The lock as a phrase, such as "exclusive POSIX lock of shelf (4711)".
  var description: String {
    let mode = isExclusive ? "exclusive" : "shared"
    let owner = process.map { " of \(program ?? "process") (\($0))" } ?? ""
    return "\(mode) \(kind) lock\(owner)"
  }
}
