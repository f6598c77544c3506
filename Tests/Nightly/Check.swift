import ArgumentParser
import DifferentialChecks
import Dispatch
import Foundation

/// A command that runs cases of some modes until the given number of results were compared.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run cases, or repeat one that failed.")

  @Option(help: "How many results to compare, over all modes.")
  var checks = 10_000_000
  @Option(help: "The modes; by default all.")
  var mode: [String] = []
  @Option(help: "The seed of the first case; by default every run has another one.")
  var seed: UInt64?
  @Option(help: "How many cases may be run to make one that failed smaller.")
  var attempts = 2000
  @Option(help: "How many threads run cases; by default one for each processor.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  func validate() throws {
    for name in mode where !Modes.all.contains(where: { $0.name == name }) {
      let names = Modes.all.map(\.name).joined(separator: ", ")
      throw ValidationError("cannot run the mode \"\(name)\": the modes are \(names)")
    }
  }

  func run() throws {
    let modes = Modes.all.filter { mode.isEmpty || mode.contains($0.name) }
    let seed = seed ?? UInt64(Date().timeIntervalSince1970)
    print("\(checks) checks of \(modes.map(\.name).joined(separator: ", ")), seed \(seed)")
    let attempts = attempts
    let campaign = Campaign(modes, seed: seed) { failed in
      write("\n\(failed.report(attempts: attempts))\n")
    }
    let sources = [stopping(campaign), showingProgress(of: campaign)]
    // A single case runs on this thread, so that it can be debugged.
    DispatchQueue.concurrentPerform(iterations: checks == 1 ? 1 : max(1, jobs)) { _ in
      campaign.run(checks: checks)
    }
    for source in sources { source.cancel() }
    print(campaign.report)
    if !campaign.report.isClean { throw ExitCode.failure }
  }

  /// Returns a signal source that stops the run after Ctrl-C, so that the run ends with its report.
  private func stopping(_ campaign: Campaign) -> any DispatchSourceProtocol {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { campaign.stop() }
    source.resume()
    return source
  }

  private func showingProgress(of campaign: Campaign) -> any DispatchSourceProtocol {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + 10, repeating: 10)
    let begin = ContinuousClock.now
    let checks = checks
    timer.setEventHandler {
      let report = campaign.report
      let seconds = max(1, (ContinuousClock.now - begin).components.seconds)
      let failed = report.modes.reduce(0) { $0 + $1.differences.count }
      let rate = report.checkCount / Int(seconds)
      write("\(report.checkCount) of \(checks) checks, \(rate) a second, \(failed) differences")
    }
    timer.resume()
    return timer
  }
}

/// Prints a line without buffering, also to a file.
private func write(_ line: String) {
  print(line)
  fflush(nil)
}
