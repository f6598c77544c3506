/// The identity of a process, by which other processes of the same system detect that it has ended.
///
/// A process number alone does not suffice, because the system assigns it again. The identity
/// therefore contains the start time of the process, the start of the system (`boot_id`) and the
/// PID namespace, in which the process number is valid.
///
/// A process has an identity only on a system with a `/proc` file system, such as Linux.
package struct ProcessIdentity: Hashable, Sendable {
  private let system: String
  private let number: pid_t
  private let startTime: String

  /// The identity of this process, or `nil` if the system has no `/proc` file system.
  package static let current = ProcessIdentity(of: getpid())

  /// Creates the identity of a running process of the same PID namespace, or returns `nil` if there
  /// is no such process, or if the system has no `/proc` file system.
  package init?(of number: pid_t) {
    guard let system = Self.system, let process = RunningProcess(number) else { return nil }
    self.system = system
    self.number = number
    startTime = process.startTime
  }

  /// Creates an identity from its ``text``, or returns `nil` if the text is no identity.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, let number = pid_t(parts[2]), number > 0 else { return nil }
    system = parts[0] + "/" + parts[1]
    self.number = number
    startTime = String(parts[3])
  }

  /// The identity as text: the start of the system, the namespace, the process number and the start
  /// time, separated by slashes.
  package var text: String { "\(system)/\(number)/\(startTime)" }

  /// Whether the process has certainly ended.
  ///
  /// The value is `false` if the `boot_id` or the PID namespace in the identity differs from that
  /// of this process. A different `boot_id` can mean an earlier start of this system, but also
  /// another system, on which the process may still run.
  package var hasEnded: Bool {
    guard let system = Self.system, system == self.system else { return false }
    if kill(number, 0) != 0, errno == ESRCH { return true }
    guard let process = RunningProcess(number) else { return false }
    return process.startTime != startTime || process.isZombie
  }

  private static let system: String? = {
    guard let start = readText("/proc/sys/kernel/random/boot_id") else { return nil }
    var namespace = [CChar](repeating: 0, count: 256)
    let count = readlink("/proc/self/ns/pid", &namespace, namespace.count)
    guard count > 0, count < namespace.count else { return nil }
    let name = String(decoding: namespace[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return start.filter { $0 != "\n" && $0 != "/" } + "/" + name.filter { $0 != "/" }
  }()
}

/// The state and the start time of a process, from `/proc/PID/stat`.
private struct RunningProcess {
  let startTime: String
  /// Whether the process has ended, and its parent has not yet read its exit status.
  let isZombie: Bool

  init?(_ number: pid_t) {
    // The name of the program, in parentheses, can contain spaces and parentheses.
    guard let text = readText("/proc/\(number)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    let fields = text[text.index(after: end)...].split(separator: " ")
    // Fields 3 (state) and 22 (start time) of proc_pid_stat(5).
    guard fields.count > 19 else { return nil }
    isZombie = ["Z", "X"].contains(fields[0])
    startTime = String(fields[19])
  }
}

/// Returns the beginning of a file of the `/proc` file system, at most 4,096 bytes, or `nil` if the
/// file cannot be read.
private func readText(_ path: String) -> String? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(file, &bytes, bytes.count)
  return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
}
