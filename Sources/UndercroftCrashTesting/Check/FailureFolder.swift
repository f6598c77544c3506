import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A folder in which the crash test saves disk states that violate a guarantee.
///
/// Only the first states of each kind are saved. The report of the crash
/// test contains the command that tests a saved state again.
struct FailureFolder {
  let path: String
  /// The command and arguments that start the program with the ``CrashLaboratory``.
  let command: [String]

  /// The maximum number of saved states with the same kind of test, verdict and ``StateOrder``.
  private static let maximumPerKind = 2

  /// Writes the state that is being opened to a marker
  /// file, so that the state is known if the process dies.
  func writeMarker(_ state: CrashState) {
    guard let marker = try? Descriptor(opening: markerPath, O_WRONLY | O_CREAT | O_TRUNC) else {
      return
    }
    try? marker.write(Data("\(state)\n".utf8))
  }

  var markerPath: String { path + ".state" }

  func save(
    _ state: CrashState, _ disk: DiskModel, _ outcome: CrashOutcome, _ verdict: CrashVerdict,
    _ window: BatchWindow, _ phase: WriterPhase, _ subject: CrashSubject, _ row: inout CrashRow,
    names: OperationNames? = nil
  ) throws {
    let kind = "\(row.model)-\(verdict.rawValue)-\(state.order.rawValue)"
      .replacing(" ", with: "_").replacing("+", with: "_")
    let count = row.orders[verdict]?[state.order] ?? 0
    guard count <= Self.maximumPerKind else { return }
    let folder = "\(path)/\(kind)-\(count)"
    try Folder.create(Folder.parent(of: folder))
    ScratchFolder.remove(folder)
    try disk.write(to: folder)
    var arguments = [
      "check", "--store", subject.name, "--state", folder, "--required", "\(window.required)",
      "--begun", "\(window.begun)",
    ]
    if case .second(let base) = phase { arguments += ["--base", "\(base)"] }
    let line = (command + arguments).joined(separator: " ")
    row.findings.append(
      """
      \(subject.name), \(state.text(names)): \(verdict.rawValue): \(outcome.text)
          \(window); again: \(line)
      """)
  }
}

extension CrashOutcome {
  var text: String {
    switch self {
    case .consistent(let numbers):
      if numbers.contains(0) {
        "contains the state before the first batch"
          + (numbers.count > 1 ? ", as after batch \(NumberRanges(numbers.subtracting([0])))" : "")
      } else {
        "contains the state after batch \(NumberRanges(numbers))"
      }
    case .mixture(let text), .unopenable(let text), .unusable(let text), .differs(let text): text
    }
  }
}
