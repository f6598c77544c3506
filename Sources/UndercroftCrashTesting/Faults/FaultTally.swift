import UndercroftFileSystem

/// The statistics of a ``FaultTestRun``, such as the
/// number of faults that the writer received as errors.
struct FaultTally {
  private var tried = 0
  private var surfaced = 0
  private var interrupted: [String: Int] = [:]
  private var codes: [String: [String: Int]] = [:]

  private var copies = 0
  private var recordings = 0

  mutating func addCopies(_ count: Int) { copies += count }

  mutating func addRecording() { recordings += 1 }

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
    remarks.append("\(copies) copies of the files were opened right after an error")
    if recordings > 0 {
      remarks.append("the power failed after \(recordings) failures of flushes")
    }
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
