import UndercroftFileSystem

/// Counts how many faults reached the writer as an error, and with which codes.
struct FaultTally {
  private var tried = 0
  private var surfaced = 0
  private var interrupted: [String: Int] = [:]
  private var codes: [String: [String: Int]] = [:]

  mutating func add(_ fault: CallFault, _ errors: [FaultError]) {
    tried += 1
    guard let error = errors.first else { return }
    surfaced += 1
    if fault.isInterruption { interrupted[fault.call, default: 0] += 1 }
    let code = error.codes.joined(separator: "/")
    codes[fault.form.description, default: [:]][code, default: 0] += 1
  }

  var remarks: [String] {
    var remarks = ["\(surfaced) of \(tried) faults surfaced as an error"]
    for (form, codes) in codes.sorted(by: { $0.key < $1.key }) {
      remarks.append("\(form) surfaced as \(Self.text(codes))")
    }
    if !interrupted.isEmpty {
      remarks.append("interrupted calls that surfaced: \(Self.text(interrupted))")
    }
    return remarks
  }

  private static func text(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
