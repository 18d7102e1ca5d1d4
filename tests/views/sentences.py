"""What people say to a store, and what is meant by it.

Two lines each: who asks (``-`` is nobody known) and the words; then what is wanted, with role and
provider (``-`` is none), and the title of the task, or ``refused``. In each part half of them are
ambiguous, or about nothing there. The first part was there when words and weights were chosen. The
others were written apart from that: what they showed was mended then.
"""

from __future__ import annotations

KNOWN = """
alice: continue the routing task
  continue: Fix routing of returned orders
alice: use cc to review it too
  review reviewer claude-code: Fix routing of returned orders
alice: what happened with the thing from yesterday?
  status: Weekly sales report as PDF
alice: retry that
  retry: Import customer addresses from the old shop
carol: how is the postgres upgrade going?
  status: Postgres 17 upgrade
bob: please pick up the safari flicker again
  continue: Login page flickers on Safari
alice: can codex give a second opinion on the billing export that loses cents
  review advisor codex: Billing export loses cents
bob: try the nightly backup again
  retry: Nightly backup fails on full disk
alice: is the webhook thing done?
  status: Webhook signatures are not checked
carol: retry the failed uploads
  retry: Retry failed uploads
alice: new task: Add a favicon to the status page
  new: Add a favicon to the status page
bob: status of retry failed uploads
  status: Retry failed uploads
alice: get gemini to look over the onboarding mail
  review reviewer gemini: Onboarding mail for new customers
bob: carry on with search umlauts
  continue: Search ignores umlauts
alice: what became of the heap growing with webp
  status: Memory leak in the image resizer
bob: continue the routing task
  refused
bob: what happened with the thing from yesterday?
  refused
alice: continue the checkout translation
  refused
alice: continue the kubernetes migration
  refused
carol: how is the coffee machine?
  refused
bob: retry the load test
  refused
alice: review the health check
  refused
alice: hello there
  refused
carol: status
  refused
bob: upgrade to python 3.13
  refused
-: retry that
  refused
alice: the other one
  refused
alice: cancel the routing task
  refused
bob: document the api please
  refused
alice: weiter mit dem Routing
  refused
"""

HELD_BACK = """
bob: keep going on the API rate limiting
  continue: Rate limit for the public API
alice: let claude code double-check the webhook signatures
  review reviewer claude-code: Webhook signatures are not checked
alice: where are we with moving sessions to redis?
  status: Move sessions to Redis
bob: redo the backup job that ran out of disk
  retry: Nightly backup fails on full disk
carol: I'd like to work on the Postgres thing
  continue: Postgres 17 upgrade
alice: have codex-2 review the sales report
  review reviewer codex: Weekly sales report as PDF
alice: what did gemini do on the flaky payment test
  status: Flaky test in the payment suite
carol: file a bug: Coupons apply twice in the cart
  new: Coupons apply twice in the cart
alice: we need a task to archive old invoices
  new: Archive old invoices
bob: how did the cents bug in billing turn out
  status: Billing export loses cents
alice: give the address import another try
  retry: Import customer addresses from the old shop
alice: continue
  continue: Fix routing of returned orders
bob: any news on the duplicate shipping labels?
  status: Shipping labels print twice
alice: ask gemini for a review of the passkey login
  review reviewer gemini: Two-factor login with passkeys
carol: Continue button stays grey in the wizard
  status: Continue button stays grey in the wizard
carol: continue the tracing work
  refused
alice: what about the dashboard?
  refused
bob: what's the state of the blockchain integration?
  refused
alice: the French or the Polish checkout translation
  refused
-: use cc to review it too
  refused
bob: pick up the thing from last month
  refused
carol: thanks, that's all
  refused
alice: please do the needful
  refused
bob: retry the deployment to mars
  refused
alice: what did codex do last week?
  refused
carol: don't retry that
  refused
alice: continue the retry policy
  refused
bob: alert when the queue grows
  refused
alice: book a flight to Lisbon
  refused
carol: review everything from friday
  refused
"""

FRESH = """
alice: could you pick up where we left off
  continue: Fix routing of returned orders
bob: give the nightly backup another shot with gemini
  retry - gemini: Nightly backup fails on full disk
carol: what's going on with the postgres upgrade
  status: Postgres 17 upgrade
alice: I want claude to check the rate limit on the public API
  review reviewer claude-code: Rate limit for the public API
bob: get back to the safari thing
  continue: Login page flickers on Safari
alice: did the onboarding mail get finished?
  status: Onboarding mail for new customers
carol: let's start on dark mode
  continue: Dark mode for the settings page
alice: create a ticket: Barcode scanner rejects EAN-8
  new: Barcode scanner rejects EAN-8
bob: need a second pair of eyes on the umlaut search
  review reviewer: Search ignores umlauts
alice: resume the redis sessions work
  continue: Move sessions to Redis
carol: rerun the failed uploads with codex
  retry - codex: Retry failed uploads
alice: who has the passkeys login?
  status: Two-factor login with passkeys
bob: open a bug for prices showing negative discounts
  new: Prices showing negative discounts
alice: how far along is the sales report PDF
  status: Weekly sales report as PDF
bob: cookie banner on phones
  status: Cookie banner blocks the menu on phones
carol: continue the billing work
  refused
bob: what happened to the translation?
  refused
alice: use codex for the dashboard
  refused
carol: retry the health check of the moon base
  refused
alice: where is the invoice for the new office
  refused
bob: ship it
  refused
alice: the bug from last week
  refused
carol: tell me a joke
  refused
bob: have gemini review the structured logs
  refused
alice: pin the dependencies
  refused
-: continue
  refused
alice: close the onboarding mail
  refused
carol: any progress on quantum search?
  refused
bob: look at the import
  refused
alice: continue the timeouts
  refused
"""

LAST = """
alice: use gemini to double check the address import
  review reviewer gemini: Import customer addresses from the old shop
bob: where does the API rate limit stand
  status: Rate limit for the public API
carol: work on the accessible charts
  continue: Accessible colours in charts
alice: redo the address import with codex
  retry - codex: Import customer addresses from the old shop
bob: is anyone on the flaky payment test?
  status: Flaky test in the payment suite
carol: please continue with the cookie banner on phones
  continue: Cookie banner blocks the menu on phones
alice: let bob have a look at the webhook signatures
  review reviewer: Webhook signatures are not checked
bob: log an issue: Avatars are blurry
  new: Avatars are blurry
carol: why did the uploads fail
  status: Retry failed uploads
alice: pick the sales report up
  continue: Weekly sales report as PDF
bob: the search service
  refused
alice: what's blocking the release
  refused
carol: continue with translation into German
  refused
bob: retry the catalog calls
  refused
alice: review the pull request
  refused
carol: write the unit tests for pricing
  refused
bob: that thing carol mentioned
  refused
alice: continue the one after that
  refused
-: what happened yesterday
  refused
carol: go ahead
  refused
alice: have cc look at the sales report too
  review reviewer claude-code: Weekly sales report as PDF
bob: keep working on the umlauts
  continue: Search ignores umlauts
carol: what is the state of gdpr deletion
  status: GDPR deletion of accounts
alice: try the import of customer addresses once more
  retry: Import customer addresses from the old shop
bob: file a bug: Map tiles missing offline
  new: Map tiles missing offline
carol: begin with the sitemap
  continue: Sitemap for the blog
alice: second opinion from codex on onboarding mail please
  review advisor codex: Onboarding mail for new customers
bob: how did the deploy previews end
  status: Deploy preview for pull requests
alice: anything new on redis sessions?
  status: Move sessions to Redis
carol: the thing about invoice numbers skipping
  status: Invoice numbers skip after a crash
bob: review the API documentation
  refused
alice: what's the weather in Berlin
  refused
carol: continue with the configuration
  refused
bob: try the deployment again
  refused
alice: use codex on both
  refused
carol: make it faster
  refused
-: what was I doing
  refused
bob: the pricing stuff
  refused
alice: add a dark theme to the mobile app
  refused
carol: start something easy
  refused
"""

NEWCOMER = """
alice: let claude take a second look at the cookie banner
  review reviewer claude-code: Cookie banner blocks the menu on phones
bob: have gemini take a look at the sitemap
  review reviewer gemini: Sitemap for the blog
carol: is anyone working on dark mode?
  status: Dark mode for the settings page
alice: is somebody on the umlauts
  status: Search ignores umlauts
alice: what failed this morning
  status: Import customer addresses from the old shop
alice: go on with what I did yesterday
  continue: Weekly sales report as PDF
codex-2: use cc to review it too
  review reviewer claude-code: Drop the old index on orders
alice: the routing table
  status: Routing table for the EU warehouses
bob: what did I do on the flicker yesterday
  status: Login page flickers on Safari
carol: what was finished on 24 november
  status: Deploy preview for pull requests
bob: have codex look at the nightly backup again
  refused
alice: what failed last week
  refused
bob: go on with what I did yesterday
  refused
alice: the load test
  refused
alice: what was I doing
  refused
bob: what's left to do
  refused
carol: what's blocked
  refused
alice: hand the redis task over to codex
  refused
bob: note for the umlauts task: the routing table is wrong
  refused
carol: please cancel the gift cards task
  refused
"""
